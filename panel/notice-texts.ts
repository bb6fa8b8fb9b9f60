import type { Language } from './languages.ts'

/** A security event of one account. */
export type SecurityNotice =
  | 'two-factor-on'
  | 'two-factor-off'
  | 'app-added'
  | 'app-removed'
  | 'recovery-code-used'
  | 'locked'

interface NoticeTexts {
  readonly titles: Readonly<Record<SecurityNotice, string>>
  readonly advice: string
  /** Precedes the advice. */
  readonly onRecoveryCode: string
  /** Replaces the advice. */
  readonly onLock: string
}

const texts: Readonly<Record<Language, NoticeTexts>> = {
  en: {
    titles: {
      'two-factor-on': 'Two-factor authentication was turned on',
      'two-factor-off': 'Two-factor authentication was turned off',
      'app-added': 'An authenticator app was added to your account',
      'app-removed': 'An authenticator app was removed from your account',
      'recovery-code-used': 'A recovery code was used to log in',
      locked: 'Too many failed logins to your account',
    },
    advice: 'If this was not you, change your password and tell an administrator.',
    onRecoveryCode:
      'Each code works once: set up two-factor authentication again when few are left.',
    onLock:
      'Somebody entered wrong passwords for your email address. Logins from there are refused for now. If this was not you, nobody has got in; a long password that you use nowhere else keeps it so.',
  },
  fr: {
    titles: {
      'two-factor-on': 'L’authentification à deux facteurs a été activée',
      'two-factor-off': 'L’authentification à deux facteurs a été désactivée',
      'app-added': 'Une application d’authentification a été ajoutée à votre compte',
      'app-removed': 'Une application d’authentification a été retirée de votre compte',
      'recovery-code-used': 'Un code de secours a servi à se connecter',
      locked: 'Trop d’échecs de connexion à votre compte',
    },
    advice: 'Si ce n’était pas vous, changez de mot de passe et prévenez un administrateur.',
    onRecoveryCode:
      'Chaque code ne sert qu’une fois : configurez à nouveau l’authentification à deux facteurs quand il en reste peu.',
    onLock:
      'Quelqu’un a saisi de mauvais mots de passe pour votre adresse e-mail. Les connexions de cet endroit sont refusées pour l’instant. Si ce n’était pas vous, personne n’est entré ; un long mot de passe que vous n’utilisez nulle part ailleurs vous protège.',
  },
  de: {
    titles: {
      'two-factor-on': 'Die Zwei-Faktor-Authentisierung wurde eingeschaltet',
      'two-factor-off': 'Die Zwei-Faktor-Authentisierung wurde ausgeschaltet',
      'app-added': 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
      'app-removed': 'Aus Ihrem Konto wurde eine Authenticator-App entfernt',
      'recovery-code-used': 'Ein Wiederherstellungscode wurde zur Anmeldung verwendet',
      locked: 'Zu viele fehlgeschlagene Anmeldungen bei Ihrem Konto',
    },
    advice:
      'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und informieren Sie die Administration.',
    onRecoveryCode:
      'Jeder Code funktioniert einmal: Richten Sie die Zwei-Faktor-Authentisierung neu ein, wenn nur noch wenige übrig sind.',
    onLock:
      'Jemand hat falsche Passwörter für Ihre E-Mail-Adresse eingegeben. Anmeldungen von dort werden vorerst abgelehnt. Wenn Sie das nicht waren, ist niemand hineingelangt; ein langes Passwort, das Sie nirgendwo sonst verwenden, sorgt dafür, dass es so bleibt.',
  },
  ar: {
    titles: {
      'two-factor-on': 'تم تفعيل المصادقة الثنائية',
      'two-factor-off': 'تم إيقاف المصادقة الثنائية',
      'app-added': 'أُضيف تطبيق مصادقة إلى حسابك',
      'app-removed': 'أُزيل تطبيق مصادقة من حسابك',
      'recovery-code-used': 'استُخدم رمز استرداد لتسجيل الدخول',
      locked: 'محاولات دخول فاشلة كثيرة إلى حسابك',
    },
    advice: 'إذا لم تكن أنت، فغيّر كلمة المرور وأخبر أحد المسؤولين.',
    onRecoveryCode: 'يعمل كل رمز مرة واحدة: أعد إعداد المصادقة الثنائية عندما يتبقى القليل منها.',
    onLock:
      'أدخل شخص ما كلمات مرور خاطئة لبريدك الإلكتروني. يُرفض تسجيل الدخول من هناك في الوقت الحالي. إذا لم تكن أنت، فلم يدخل أحد؛ كلمة مرور طويلة لا تستخدمها في أي مكان آخر تُبقي الأمر كذلك.',
  },
}

/** Returns the notice about an event. */
export function noticeOf(notice: SecurityNotice, language: Language) {
  const { titles, advice, onRecoveryCode, onLock } = texts[language]
  const title = titles[notice]
  if (notice === 'locked') return { title, body: onLock }
  return { title, body: notice === 'recovery-code-used' ? `${onRecoveryCode} ${advice}` : advice }
}
