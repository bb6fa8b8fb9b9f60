import type { Compose } from '../../core/email/email-verification.ts'
import type { Translator } from '../wire/translate.ts'
import { linkMail } from './link-mail.ts'

/** Composes the verification mail in a language. */
export function verificationMail(translator: Translator, language: string, panel: string): Compose {
  const say = (key: Parameters<Translator['text']>[1], values = {}): string =>
    translator.text(language, key, values)
  return (link, lifetimeMinutes) =>
    linkMail({
      language,
      subject: say('mail.verify.subject', { panel }),
      intro: say('mail.verify.intro'),
      button: say('mail.verify.button'),
      link,
      closing: say('mail.verify.lifetime', { count: lifetimeMinutes }),
    })
}
