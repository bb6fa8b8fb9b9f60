import type { Mail } from '../../core/email/email-verification.ts'
import { directionOf, escapeHtml } from '../wire/html.ts'

/** The texts of a mail whose point is one link. */
interface LinkMail {
  readonly language: string
  readonly subject: string
  readonly intro: string
  readonly button: string
  readonly link: string
  readonly closing: string
}

/**
 * Composes a mail with one link. Both parts have the same text and the link once. The mail loads
 * nothing, so that it cannot track its reader.
 */
export function linkMail({ language, subject, intro, button, link, closing }: LinkMail): Mail {
  const html = [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">`,
    `<title>${escapeHtml(subject)}</title>`,
    `<body style="font-family: system-ui, sans-serif; line-height: 1.5">`,
    `<p>${escapeHtml(intro)}</p>`,
    `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p>`,
    `<p>${escapeHtml(closing)}</p></body></html>`,
  ].join('\n')
  return { subject, text: `${intro}\n\n${link}\n\n${closing}\n`, html }
}
