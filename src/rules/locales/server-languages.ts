import { server as arServer } from './ar-server.ts'
import { service as ar } from './ar-service.ts'
import { server as deServer } from './de-server.ts'
import { service as de } from './de-service.ts'
import { server as enServer } from './en-server.ts'
import { service as en } from './en-service.ts'
import { server as frServer } from './fr-server.ts'
import { service as fr } from './fr-service.ts'

/** The texts of answers and mails by language. English comes first: it answers `*`. */
export const serverLanguages = {
  en: { ...en, ...enServer },
  ar: { ...ar, ...arServer },
  de: { ...de, ...deServer },
  fr: { ...fr, ...frServer },
}
