/** The texts of the panel's own pages in one language. */
interface PageTexts {
  readonly people: string
  readonly name: string
  readonly email: string
  /** Number of people by plural category; `{{count}}` is the number. */
  readonly count: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
    readonly other: string
  }
  readonly nobody: string
  readonly loading: string
  readonly retry: string
  readonly unreachable: string
  readonly actAs: string
  /** `{{name}}` is the name of a person. */
  readonly actAsPerson: string
  readonly inviteTitle: string
  readonly inviteHint: string
  readonly invite: string
  readonly inviting: string
  readonly invited: string
  readonly sendTitle: string
  readonly to: string
  readonly choose: string
  readonly title: string
  readonly body: string
  readonly address: string
  readonly addressHint: string
  readonly send: string
  readonly sending: string
  readonly sent: string
}

const en: PageTexts = {
  people: 'People',
  name: 'Name',
  email: 'Email',
  count: { one: '1 person', other: '{{count}} people' },
  nobody: 'There is nobody here yet.',
  loading: 'Loading…',
  retry: 'Try again',
  unreachable: 'We could not reach the server. Check your connection and try again.',
  actAs: 'Act as',
  actAsPerson: 'Act as {{name}}',
  inviteTitle: 'Invite a person',
  inviteHint: 'A link to choose a password is sent there. It works for 3 days.',
  invite: 'Invite',
  inviting: 'Inviting…',
  invited: 'Invited.',
  sendTitle: 'Send a notification',
  to: 'To',
  choose: 'Choose a person',
  title: 'Title',
  body: 'Text (optional)',
  address: 'Address (optional)',
  addressHint:
    'Opened when the notification is clicked: a path of this site like /admin/main/people, or https://…',
  send: 'Send',
  sending: 'Sending…',
  sent: 'Sent.',
}

const fr: PageTexts = {
  people: 'Personnes',
  name: 'Nom',
  email: 'Adresse e-mail',
  count: { one: '{{count}} personne', other: '{{count}} personnes' },
  nobody: 'Il n’y a encore personne ici.',
  loading: 'Chargement…',
  retry: 'Réessayer',
  unreachable: 'Impossible de joindre le serveur. Vérifiez votre connexion et réessayez.',
  actAs: 'Agir au nom de',
  actAsPerson: 'Agir au nom de {{name}}',
  inviteTitle: 'Inviter une personne',
  inviteHint: 'Un lien pour choisir un mot de passe y est envoyé. Il est valable 3 jours.',
  invite: 'Inviter',
  inviting: 'Invitation…',
  invited: 'Invitée.',
  sendTitle: 'Envoyer une notification',
  to: 'À',
  choose: 'Choisissez une personne',
  title: 'Titre',
  body: 'Texte (facultatif)',
  address: 'Adresse (facultative)',
  addressHint:
    'Ouverte par un clic sur la notification : un chemin de ce site comme /admin/main/people, ou https://…',
  send: 'Envoyer',
  sending: 'Envoi…',
  sent: 'Envoyée.',
}

const ar: PageTexts = {
  people: 'الأشخاص',
  name: 'الاسم',
  email: 'البريد الإلكتروني',
  count: {
    zero: 'لا يوجد أشخاص',
    one: 'شخص واحد',
    two: 'شخصان',
    few: '{{count}} أشخاص',
    many: '{{count}} شخصًا',
    other: '{{count}} شخص',
  },
  nobody: 'لا يوجد أحد هنا بعد.',
  loading: 'جارٍ التحميل…',
  retry: 'إعادة المحاولة',
  unreachable: 'تعذّر الوصول إلى الخادم. تحقق من اتصالك وحاول مرة أخرى.',
  actAs: 'العمل باسم',
  actAsPerson: 'العمل باسم {{name}}',
  inviteTitle: 'دعوة شخص',
  inviteHint: 'يُرسل إليه رابط لاختيار كلمة مرور. يعمل الرابط 3 أيام.',
  invite: 'دعوة',
  inviting: 'جارٍ إرسال الدعوة…',
  invited: 'تم إرسال الدعوة.',
  sendTitle: 'إرسال إشعار',
  to: 'إلى',
  choose: 'اختر شخصًا',
  title: 'العنوان',
  body: 'النص (اختياري)',
  address: 'الرابط (اختياري)',
  addressHint:
    'يُفتح عند النقر على الإشعار: مسار في هذا الموقع مثل \u2066/admin/main/people\u2069 أو \u2066https://…\u2069',
  send: 'إرسال',
  sending: 'جارٍ الإرسال…',
  sent: 'تم الإرسال.',
}

/** The language of the panel; without texts of its own, the panel's document is English. */
export const locale = document.documentElement.lang

/** The texts in the language of the panel. */
export const texts: PageTexts = new Map(Object.entries({ en, fr, ar })).get(locale) ?? en

/** Returns the number of people in words. */
export function countOf(people: number): string {
  const form = texts.count[new Intl.PluralRules(locale).select(people)] ?? texts.count.other
  return form.replace('{{count}}', people.toLocaleString(locale))
}
