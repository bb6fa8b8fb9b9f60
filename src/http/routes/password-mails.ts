import type { ComposeNotice } from '../../core/accounts/password-replacement.ts'
import type { Compose } from '../../core/email/email-verification.ts'
import type { Translator } from '../wire/translate.ts'
import { mailTexts } from './link-mail.ts'

/** The mails of the passwords layer in one language. They name the panel, and nobody. */
export interface PasswordMails {
  readonly reset: Compose
  readonly invitation: Compose
  readonly changed: ComposeNotice
}

const MINUTES_OF_DAY = 24 * 60

/** Creates the mails of the passwords layer. */
export function passwordMails(
  translator: Translator,
  language: string,
  panel: string,
): PasswordMails {
  const { say, linkMail } = mailTexts(translator, language, panel)
  return {
    reset: (link, count) =>
      linkMail('reset', { link, closing: say('mail.reset.lifetime', { count }) }),
    invitation: (link, lifetimeMinutes) => {
      const count = lifetimeMinutes / MINUTES_OF_DAY
      return linkMail('invite', { link, closing: say('mail.invite.lifetime', { count }) })
    },
    changed: (link) => linkMail('changed', { link, closing: say('mail.changed.undo') }),
  }
}
