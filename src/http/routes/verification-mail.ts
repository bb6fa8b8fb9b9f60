import type { Compose } from '../../core/email/email-verification.ts'
import type { Translator } from '../wire/translate.ts'
import { mailTexts } from './link-mail.ts'

/** Composes the verification mail in a language. */
export function verificationMail(translator: Translator, language: string, panel: string): Compose {
  const { say, linkMail } = mailTexts(translator, language, panel)
  return (link, count) =>
    linkMail('verify', { link, closing: say('mail.verify.lifetime', { count }) })
}
