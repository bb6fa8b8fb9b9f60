import type { Request } from 'express'
import { languageOf, type Language } from './languages.ts'

const en = {
  chooseSomebody: 'Choose a person.',
  enterName: 'Enter a name.',
  enterEmail: 'Enter an email address, such as ada@example.com.',
  known: 'A person with this email address is here already.',
  notInvited: 'The invitation could not be sent. Try again in a moment.',
  invited: 'Invited.',
  actingAs: 'You act as this person now.',
  mayNotActAs: 'You may not act as this person.',
  enterTitle: 'Enter a title.',
  giveText: 'Give a text.',
  badUrl: 'Give a link that begins with https:// or http://, or a path that begins with /.',
  gone: 'This person is no longer here. Choose another.',
  sendObject: 'Send a JSON object.',
  tooOften: 'You have sent many of these. Try again later.',
  unavailable: 'The panel cannot do this now. Try again in a moment.',
  sent: 'Sent.',
  titleTooLong: (most: number) => `The title is too long: use at most ${most} characters.`,
  tooLong: (most: number) => `This is too long: use at most ${most} characters.`,
  /** Kibibytes, where the others have characters. */
  tooLarge: (most: number) => `This is too long: at most ${most} KiB can be sent.`,
}

/** The messages of the panel's own routes in one language. */
export type ApiTexts = typeof en

const fr: ApiTexts = {
  chooseSomebody: 'Choisissez une personne.',
  enterName: 'Saisissez un nom.',
  enterEmail: 'Saisissez une adresse e-mail, comme ada@example.com.',
  known: 'Une personne a déjà cette adresse e-mail.',
  notInvited: 'L’invitation n’a pas pu être envoyée. Réessayez dans un instant.',
  invited: 'Invitée.',
  actingAs: 'Vous agissez maintenant au nom de cette personne.',
  mayNotActAs: 'Vous ne pouvez pas agir au nom de cette personne.',
  enterTitle: 'Saisissez un titre.',
  giveText: 'Donnez un texte.',
  badUrl: 'Donnez un lien qui commence par https:// ou http://, ou un chemin qui commence par /.',
  gone: 'Cette personne n’est plus ici. Choisissez-en une autre.',
  sendObject: 'Envoyez un objet JSON.',
  tooOften: 'Vous en avez envoyé beaucoup. Réessayez plus tard.',
  unavailable: 'Le panneau ne peut pas le faire maintenant. Réessayez dans un instant.',
  sent: 'Envoyée.',
  titleTooLong: (most) => `Le titre est trop long : ${most} caractères au maximum.`,
  tooLong: (most) => `C’est trop long : ${most} caractères au maximum.`,
  tooLarge: (most) => `C’est trop long : ${most} Kio au maximum.`,
}

const ar: ApiTexts = {
  chooseSomebody: 'اختر شخصًا.',
  enterName: 'أدخل اسمًا.',
  enterEmail: 'أدخل بريدًا إلكترونيًا مثل \u2066ada@example.com\u2069.',
  known: 'يوجد شخص بهذا البريد الإلكتروني.',
  notInvited: 'تعذّر إرسال الدعوة. حاول مرة أخرى بعد لحظات.',
  invited: 'تم إرسال الدعوة.',
  actingAs: 'أنت تعمل الآن باسم هذا الشخص.',
  mayNotActAs: 'لا يمكنك العمل باسم هذا الشخص.',
  enterTitle: 'أدخل عنوانًا.',
  giveText: 'أدخل نصًا.',
  badUrl:
    'أدخل رابطًا يبدأ بـ \u2066https://\u2069 أو \u2066http://\u2069 أو مسارًا يبدأ بـ \u2066/\u2069.',
  gone: 'لم يعد هذا الشخص هنا. اختر شخصًا آخر.',
  sendObject: 'أرسل كائن JSON.',
  tooOften: 'لقد أرسلت الكثير منها. حاول مرة أخرى لاحقًا.',
  unavailable: 'لا يمكن للوحة فعل ذلك الآن. حاول مرة أخرى بعد لحظات.',
  sent: 'تم الإرسال.',
  titleTooLong: (most) => `العنوان طويل جدًا. الحد الأقصى لعدد الأحرف: ${most}.`,
  tooLong: (most) => `النص طويل جدًا. الحد الأقصى لعدد الأحرف: ${most}.`,
  tooLarge: (most) => `النص طويل جدًا. الحد الأقصى: ${most} كيبيبايت.`,
}

const de: ApiTexts = {
  chooseSomebody: 'Wählen Sie eine Person aus.',
  enterName: 'Geben Sie einen Namen ein.',
  enterEmail: 'Geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
  known: 'Eine Person mit dieser E-Mail-Adresse gibt es bereits.',
  notInvited: 'Die Einladung konnte nicht gesendet werden. Versuchen Sie es gleich noch einmal.',
  invited: 'Eingeladen.',
  actingAs: 'Sie handeln jetzt im Namen dieser Person.',
  mayNotActAs: 'Sie dürfen nicht im Namen dieser Person handeln.',
  enterTitle: 'Geben Sie einen Titel ein.',
  giveText: 'Geben Sie einen Text an.',
  badUrl:
    'Geben Sie eine Adresse an, die mit https:// oder http:// beginnt, oder einen Pfad, der mit / beginnt.',
  gone: 'Diese Person gibt es hier nicht mehr. Wählen Sie eine andere aus.',
  sendObject: 'Senden Sie ein JSON-Objekt.',
  tooOften: 'Davon haben Sie viele gesendet. Versuchen Sie es später noch einmal.',
  unavailable: 'Die Verwaltung kann das gerade nicht. Versuchen Sie es gleich noch einmal.',
  sent: 'Gesendet.',
  titleTooLong: (most) => `Der Titel ist zu lang: Verwenden Sie höchstens ${most} Zeichen.`,
  tooLong: (most) => `Das ist zu lang: Verwenden Sie höchstens ${most} Zeichen.`,
  tooLarge: (most) => `Das ist zu lang: Höchstens ${most} KiB können gesendet werden.`,
}

const apiTexts: Readonly<Record<Language, ApiTexts>> = { en, ar, de, fr }

/** Calls a function for the texts of each language. */
export function forEachLanguage<Made>(
  make: (texts: ApiTexts) => Made,
): Readonly<Record<Language, Made>> {
  return { en: make(en), ar: make(ar), de: make(de), fr: make(fr) }
}

/** Returns the messages in the language of an answer. */
export function textsOf(request: Request): ApiTexts {
  return apiTexts[languageOf(request)]
}
