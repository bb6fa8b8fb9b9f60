import type { ComposeNotice } from '../../core/accounts/password-replacement.ts'
import type { Compose } from '../../core/email/email-verification.ts'
import { DAY_MINUTES } from '../../rules/limits.ts'
import type { Translator } from '../wire/translate.ts'
import { mailTexts } from './link-mail.ts'

/** The mails of the passwords layer in one language. They name the panel, and nobody. */
export interface PasswordMails {
  readonly reset: Compose
  readonly invitation: Compose
  readonly changed: ComposeNotice
}

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
      const count = lifetimeMinutes / DAY_MINUTES
      return linkMail('invite', { link, closing: say('mail.invite.lifetime', { count }) })
    },
    changed: (link) => linkMail('changed', { link, closing: say('mail.changed.undo') }),
  }
}
