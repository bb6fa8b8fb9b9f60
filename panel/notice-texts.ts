import type { Language } from './languages.ts'

interface NoticeText {
  readonly title: string
  readonly body: string
}

/** A security event of one account. */
export type SecurityNotice =
  | 'two-factor-on'
  | 'two-factor-off'
  | 'app-added'
  | 'app-removed'
  | 'recovery-code-used'
  | 'locked'

type Notices = Readonly<Record<SecurityNotice, NoticeText>>

function english(advice: string): Notices {
  return {
    'two-factor-on': { title: 'Two-factor authentication was turned on', body: advice },
    'two-factor-off': { title: 'Two-factor authentication was turned off', body: advice },
    'app-added': { title: 'An authenticator app was added to your account', body: advice },
    'app-removed': { title: 'An authenticator app was removed from your account', body: advice },
    'recovery-code-used': {
      title: 'A recovery code was used to log in',
      body: `Each code works once: set up two-factor authentication again when few are left. ${advice}`,
    },
    locked: {
      title: 'Too many failed logins to your account',
      body: 'Somebody entered wrong passwords for your email address. Logins from there are refused for now. If this was not you, nobody has got in; a long password that you use nowhere else keeps it so.',
    },
  }
}

function french(advice: string): Notices {
  return {
    'two-factor-on': {
      title: 'L’authentification à deux facteurs a été activée',
      body: advice,
    },
    'two-factor-off': {
      title: 'L’authentification à deux facteurs a été désactivée',
      body: advice,
    },
    'app-added': {
      title: 'Une application d’authentification a été ajoutée à votre compte',
      body: advice,
    },
    'app-removed': {
      title: 'Une application d’authentification a été retirée de votre compte',
      body: advice,
    },
    'recovery-code-used': {
      title: 'Un code de secours a servi à se connecter',
      body: `Chaque code ne sert qu’une fois : configurez à nouveau l’authentification à deux facteurs quand il en reste peu. ${advice}`,
    },
    locked: {
      title: 'Trop d’échecs de connexion à votre compte',
      body: 'Quelqu’un a saisi de mauvais mots de passe pour votre adresse e-mail. Les connexions de cet endroit sont refusées pour l’instant. Si ce n’était pas vous, personne n’est entré ; un long mot de passe que vous n’utilisez nulle part ailleurs vous protège.',
    },
  }
}

function german(advice: string): Notices {
  return {
    'two-factor-on': {
      title: 'Die Zwei-Faktor-Authentisierung wurde eingeschaltet',
      body: advice,
    },
    'two-factor-off': {
      title: 'Die Zwei-Faktor-Authentisierung wurde ausgeschaltet',
      body: advice,
    },
    'app-added': {
      title: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
      body: advice,
    },
    'app-removed': {
      title: 'Aus Ihrem Konto wurde eine Authenticator-App entfernt',
      body: advice,
    },
    'recovery-code-used': {
      title: 'Ein Wiederherstellungscode wurde zur Anmeldung verwendet',
      body: `Jeder Code funktioniert einmal: Richten Sie die Zwei-Faktor-Authentisierung neu ein, wenn nur noch wenige übrig sind. ${advice}`,
    },
    locked: {
      title: 'Zu viele fehlgeschlagene Anmeldungen bei Ihrem Konto',
      body: 'Jemand hat falsche Passwörter für Ihre E-Mail-Adresse eingegeben. Anmeldungen von dort werden vorerst abgelehnt. Wenn Sie das nicht waren, ist niemand hineingelangt; ein langes Passwort, das Sie nirgendwo sonst verwenden, sorgt dafür, dass es so bleibt.',
    },
  }
}

function arabic(advice: string): Notices {
  return {
    'two-factor-on': { title: 'تم تفعيل المصادقة الثنائية', body: advice },
    'two-factor-off': { title: 'تم إيقاف المصادقة الثنائية', body: advice },
    'app-added': { title: 'أُضيف تطبيق مصادقة إلى حسابك', body: advice },
    'app-removed': { title: 'أُزيل تطبيق مصادقة من حسابك', body: advice },
    'recovery-code-used': {
      title: 'استُخدم رمز استرداد لتسجيل الدخول',
      body: `يعمل كل رمز مرة واحدة: أعد إعداد المصادقة الثنائية عندما يتبقى القليل منها. ${advice}`,
    },
    locked: {
      title: 'محاولات دخول فاشلة كثيرة إلى حسابك',
      body: 'أدخل شخص ما كلمات مرور خاطئة لبريدك الإلكتروني. يُرفض تسجيل الدخول من هناك في الوقت الحالي. إذا لم تكن أنت، فلم يدخل أحد؛ كلمة مرور طويلة لا تستخدمها في أي مكان آخر تُبقي الأمر كذلك.',
    },
  }
}

/** The notices about the security of an account. */
export const noticeTexts: Readonly<Record<Language, Notices>> = {
  en: english('If this was not you, change your password and tell an administrator.'),
  fr: french('Si ce n’était pas vous, changez de mot de passe et prévenez un administrateur.'),
  de: german(
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und informieren Sie die Administration.',
  ),
  ar: arabic('إذا لم تكن أنت، فغيّر كلمة المرور وأخبر أحد المسؤولين.'),
}
