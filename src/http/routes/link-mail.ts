import type { Mail } from '../../core/email/email-verification.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'
import { directionOf, escapeHtml } from '../wire/html.ts'
import type { Translator } from '../wire/translate.ts'

/** A mail whose point is one link, by the part of its keys after `mail.`. */
type LinkMailName = 'changed' | 'invite' | 'new_login' | 'reset' | 'verify'

interface LinkMail {
  readonly link: string
  /** The last paragraph. */
  readonly closing: string
  /** The values of its introduction beside the panel. */
  readonly values?: MessageValues
}

/** Creates the texts of mails in one language. They name the panel. */
export function mailTexts(translator: Translator, language: string, panel: string) {
  const say = (key: MessageKey, values?: MessageValues): string =>
    translator.text(language, key, { panel, ...values })
  return {
    say,
    /**
     * Composes a mail with one link. Both parts have the same text and the link once. The mail
     * loads nothing, so that it cannot track its reader.
     */
    linkMail: (name: LinkMailName, { link, closing, values }: LinkMail): Mail => {
      const subject = say(`mail.${name}.subject`)
      const intro = say(`mail.${name}.intro`, values)
      const html = [
        `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">`,
        `<title>${escapeHtml(subject)}</title>`,
        `<body style="font-family: system-ui, sans-serif; line-height: 1.5">`,
        `<p>${escapeHtml(intro)}</p>`,
        `<p><a href="${escapeHtml(link)}">${escapeHtml(say(`mail.${name}.button`))}</a></p>`,
        `<p>${escapeHtml(closing)}</p></body></html>`,
      ].join('\n')
      return { subject, text: `${intro}\n\n${link}\n\n${closing}\n`, html }
    },
  }
}
