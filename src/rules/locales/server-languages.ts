import { mails as arMails } from './ar-mails.ts'
import { service as ar } from './ar-service.ts'
import { mails as deMails } from './de-mails.ts'
import { service as de } from './de-service.ts'
import { mails as enMails } from './en-mails.ts'
import { service as en } from './en-service.ts'
import { mails as frMails } from './fr-mails.ts'
import { service as fr } from './fr-service.ts'

/** The texts of answers and mails by language. English comes first: it answers `*`. */
export const serverLanguages = {
  en: { ...en, ...enMails },
  ar: { ...ar, ...arMails },
  de: { ...de, ...deMails },
  fr: { ...fr, ...frMails },
}
