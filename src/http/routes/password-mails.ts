import type { ComposeNotice } from '../../core/accounts/password-replacement.ts'
import type { Compose } from '../../core/email/email-verification.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'
import type { Translator } from '../wire/translate.ts'
import { linkMail } from './link-mail.ts'

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
  const say = (key: MessageKey, values?: MessageValues): string =>
    translator.text(language, key, { panel, ...values })
  return {
    reset: (link, lifetimeMinutes) =>
      linkMail({
        language,
        subject: say('mail.reset.subject'),
        intro: say('mail.reset.intro'),
        button: say('mail.reset.button'),
        link,
        closing: say('mail.reset.lifetime', { count: lifetimeMinutes }),
      }),
    invitation: (link, lifetimeMinutes) =>
      linkMail({
        language,
        subject: say('mail.invite.subject'),
        intro: say('mail.invite.intro'),
        button: say('mail.invite.button'),
        link,
        closing: say('mail.invite.lifetime', { count: lifetimeMinutes / MINUTES_OF_DAY }),
      }),
    changed: (link) =>
      linkMail({
        language,
        subject: say('mail.changed.subject'),
        intro: say('mail.changed.intro'),
        button: say('mail.changed.button'),
        link,
        closing: say('mail.changed.undo'),
      }),
  }
}
