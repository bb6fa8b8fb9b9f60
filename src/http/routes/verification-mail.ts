import type { Compose } from '../../core/email/email-verification.ts'
import { directionOf, escapeHtml } from '../wire/html.ts'
import type { Translator } from '../wire/translate.ts'

/**
 * Composes the verification mail in a language. Both parts have the same text and the link once.
 * The mail loads nothing, so that it cannot track its reader.
 */
export function verificationMail(translator: Translator, language: string, panel: string): Compose {
  const say = (key: Parameters<Translator['text']>[1], values = {}): string =>
    translator.text(language, key, values)
  return (link, lifetimeMinutes) => {
    const subject = say('mail.verify.subject', { panel })
    const intro = say('mail.verify.intro')
    const lifetime = say('mail.verify.lifetime', { count: lifetimeMinutes })
    const html = [
      `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">`,
      `<title>${escapeHtml(subject)}</title>`,
      `<body style="font-family: system-ui, sans-serif; line-height: 1.5">`,
      `<p>${escapeHtml(intro)}</p>`,
      `<p><a href="${escapeHtml(link)}">${escapeHtml(say('mail.verify.button'))}</a></p>`,
      `<p>${escapeHtml(lifetime)}</p></body></html>`,
    ].join('\n')
    return { subject, text: `${intro}\n\n${link}\n\n${lifetime}\n`, html }
  }
}
