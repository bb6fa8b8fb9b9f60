/** A text by plural category. */
type Plurals = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

const en = {
  people: 'People',
  name: 'Name',
  email: 'Email',
  count: { one: '1 person', other: '{{count}} people' } as Plurals,
  nobody: 'There is nobody here yet.',
  search: 'Search by name or email',
  noMatch: 'Nobody matches “{{text}}”.',
  verified: 'Email verified',
  unverified: 'Email not verified',
  factorOn: 'Second factor on',
  factorOff: 'Second factor off',
  lastLogin: 'Last login {{when}}',
  never: 'No login yet',
  paging: 'Pages of people',
  page: 'Page {{page}} of {{pages}}',
  previous: 'Previous',
  next: 'Next',
  retry: 'Try again',
  unreachable: 'We could not reach the server. Check your connection and try again.',
  unavailable: 'The server cannot answer now. Try again in a moment.',
  actAs: 'Act as',
  actAsPerson: 'Act as {{name}}',
  openInvite: 'Invite…',
  inviteTitle: 'Invite a person',
  inviteHint: 'A link to choose a password is sent there. It works for 3 days.',
  invite: 'Invite',
  inviting: 'Inviting…',
  invited: '{{name}} is invited.',
  sendTitle: 'Send a notification',
  to: 'To',
  choose: 'Choose a person',
  title: 'Title',
  body: 'Text (optional)',
  address: 'Link (optional)',
  addressHint:
    'Opened when the notification is clicked: a path of this site like /admin/main/people, or https://…',
  send: 'Send',
  sending: 'Sending…',
  sent: 'Sent to {{name}}.',
}

/** The texts of the panel's own pages in one language. `filled` replaces what is in braces. */
type PageTexts = typeof en

const fr: PageTexts = {
  people: 'Personnes',
  name: 'Nom',
  email: 'Adresse e-mail',
  count: { one: '{{count}} personne', other: '{{count}} personnes' },
  nobody: 'Il n’y a encore personne ici.',
  search: 'Rechercher par nom ou e-mail',
  noMatch: 'Personne ne correspond à « {{text}} ».',
  verified: 'E-mail vérifié',
  unverified: 'E-mail non vérifié',
  factorOn: 'Deuxième facteur activé',
  factorOff: 'Deuxième facteur désactivé',
  lastLogin: 'Dernière connexion le {{when}}',
  never: 'Pas encore de connexion',
  paging: 'Pages de personnes',
  page: 'Page {{page}} sur {{pages}}',
  previous: 'Précédent',
  next: 'Suivant',
  retry: 'Réessayer',
  unreachable: 'Impossible de joindre le serveur. Vérifiez votre connexion et réessayez.',
  unavailable: 'Le serveur ne peut pas répondre maintenant. Réessayez dans un instant.',
  actAs: 'Agir au nom de',
  actAsPerson: 'Agir au nom de {{name}}',
  openInvite: 'Inviter…',
  inviteTitle: 'Inviter une personne',
  inviteHint: 'Un lien pour choisir un mot de passe y est envoyé. Il est valable 3 jours.',
  invite: 'Inviter',
  inviting: 'Invitation…',
  invited: 'Une invitation a été envoyée à {{name}}.',
  sendTitle: 'Envoyer une notification',
  to: 'À',
  choose: 'Choisissez une personne',
  title: 'Titre',
  body: 'Texte (facultatif)',
  address: 'Lien (facultatif)',
  addressHint:
    'Ouverte par un clic sur la notification : un chemin de ce site comme /admin/main/people, ou https://…',
  send: 'Envoyer',
  sending: 'Envoi…',
  sent: 'Envoyée à {{name}}.',
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
  search: 'البحث بالاسم أو البريد الإلكتروني',
  noMatch: 'لا أحد يطابق «{{text}}».',
  verified: 'البريد مؤكَّد',
  unverified: 'البريد غير مؤكَّد',
  factorOn: 'العامل الثاني مفعّل',
  factorOff: 'العامل الثاني معطّل',
  lastLogin: 'آخر تسجيل دخول {{when}}',
  never: 'لم يسجّل الدخول بعد',
  paging: 'صفحات الأشخاص',
  page: 'الصفحة {{page}} من {{pages}}',
  previous: 'السابق',
  next: 'التالي',
  retry: 'إعادة المحاولة',
  unreachable: 'تعذّر الوصول إلى الخادم. تحقق من اتصالك وحاول مرة أخرى.',
  unavailable: 'لا يستطيع الخادم الرد الآن. حاول مرة أخرى بعد لحظات.',
  actAs: 'العمل باسم',
  actAsPerson: 'العمل باسم {{name}}',
  openInvite: 'دعوة…',
  inviteTitle: 'دعوة شخص',
  inviteHint: 'يُرسل إليه رابط لاختيار كلمة مرور. يعمل الرابط 3 أيام.',
  invite: 'دعوة',
  inviting: 'جارٍ إرسال الدعوة…',
  invited: 'تم إرسال الدعوة إلى \u2068{{name}}\u2069.',
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
  sent: 'تم الإرسال إلى \u2068{{name}}\u2069.',
}

const de: PageTexts = {
  people: 'Personen',
  name: 'Vor- und Nachname',
  email: 'E-Mail-Adresse',
  count: { one: '{{count}} Person', other: '{{count}} Personen' },
  nobody: 'Hier ist noch niemand.',
  search: 'Nach Name oder E-Mail suchen',
  noMatch: 'Niemand passt zu „{{text}}“.',
  verified: 'E-Mail bestätigt',
  unverified: 'E-Mail nicht bestätigt',
  factorOn: 'Zweiter Faktor ein',
  factorOff: 'Zweiter Faktor aus',
  lastLogin: 'Letzte Anmeldung {{when}}',
  never: 'Noch keine Anmeldung',
  paging: 'Seiten der Personen',
  page: 'Seite {{page}} von {{pages}}',
  previous: 'Zurück',
  next: 'Weiter',
  retry: 'Noch einmal versuchen',
  unreachable:
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  unavailable: 'Der Server kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
  actAs: 'Handeln als',
  actAsPerson: 'Handeln als {{name}}',
  openInvite: 'Einladen…',
  inviteTitle: 'Person einladen',
  inviteHint: 'Dorthin wird ein Link gesendet, um ein Passwort zu wählen. Er gilt 3 Tage.',
  invite: 'Einladen',
  inviting: 'Wird eingeladen…',
  invited: '{{name}} ist eingeladen.',
  sendTitle: 'Benachrichtigung senden',
  to: 'An',
  choose: 'Person auswählen',
  title: 'Titel',
  body: 'Mitteilung (freiwillig)',
  address: 'Link (freiwillig)',
  addressHint:
    'Öffnet sich beim Klick auf die Benachrichtigung: ein Pfad dieser Website wie /admin/main/people, oder https://…',
  send: 'Senden',
  sending: 'Wird gesendet…',
  sent: 'An {{name}} gesendet.',
}

/** The language of the panel; without texts of its own, the panel's document is English. */
export const locale = document.documentElement.lang

/** The texts in the language of the panel. */
export const texts: PageTexts = new Map(Object.entries({ en, ar, de, fr })).get(locale) ?? en

/** A name with these would turn what follows it. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g

/** Fills the values into a text. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/{{(\w+)}}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number'
      ? value.toLocaleString(locale)
      : value.replaceAll(DIRECTIONS, '')
  })
}

/** Returns the number of people in words. */
export function countOf(people: number): string {
  const form = texts.count[new Intl.PluralRules(locale).select(people)] ?? texts.count.other
  return filled(form, { count: people })
}
