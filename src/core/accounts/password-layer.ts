import type { Mailer, Tenant } from '../../contracts/host.ts'
import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import { createJobQueue } from '../../process/job-queue.ts'
import type { Checked } from '../boundary/checked.ts'
import { signerFor } from '../crypto.ts'
import type { Compose } from '../email/email-verification.ts'
import { withTimeout } from '../timeouts.ts'
import type { AccountParts } from './account-parts.ts'
import { changePassword, type ChangeOutcome, type ChangeRequest } from './password-change.ts'
import type { ComposeNotice } from './password-replacement.ts'
import { invite, requestLink, type LinkRequest } from './password-links.ts'
import { createPasswordTokens } from './password-tokens.ts'
import { resetPassword, type ResetOutcome, type ResetRequest } from './password-reset.ts'

/** Changes and resets passwords, and invites users. */
export interface PasswordLayer {
  change(request: ChangeRequest, compose: ComposeNotice): Promise<ChangeOutcome>
  reset(request: ResetRequest, compose: ComposeNotice): Promise<ResetOutcome>
  requestLink(request: LinkRequest, compose: Compose): void
  /**
   * Sends an invitation.
   *
   * @throws {InvitationError} The user cannot be invited.
   */
  invite(invited: Parameters<typeof invite>[1], compose: Compose): Promise<void>
  /** Resolves once every mail is sent, has failed, or is late. Never rejects. */
  settled(): Promise<void>
}

/** The parts of the service and the settings that the layer is created from. */
export interface PasswordLayerParts extends Omit<
  AccountParts,
  'tokens' | 'mailQueue' | 'pageUrl' | 'firstPanel' | 'serviceNames'
> {
  readonly accountPasswords: Checked<AccountPasswords<unknown>>
  readonly mailer: Checked<Mailer>
  readonly keys: readonly string[]
  readonly baseUrl: (tenant: Tenant) => string
  readonly prefix: string
  readonly panels: readonly string[]
  /** The name of the panel. */
  readonly name: string
}

/** Mails are sent by so many jobs at once; more wait, up to a bound. */
const MAILS = { atOnce: 4, most: 1000 } as const

/** Creates the passwords layer. */
export function createPasswordLayer(given: PasswordLayerParts): PasswordLayer {
  const { keys, baseUrl, prefix, panels, name, logger, clock } = given
  const mailQueue = createJobQueue('a mail about a password', {
    ...MAILS,
    onError: (error) =>
      logger.error(
        { err: error, event: 'password.mail_failed' },
        'a mail about a password was not sent',
      ),
  })
  const parts: AccountParts = {
    ...given,
    tokens: createPasswordTokens(
      {
        reset: signerFor('password.reset', keys),
        invite: signerFor('password.invitation', keys),
      },
      clock,
    ),
    mailQueue,
    pageUrl: (tenant, panel, page) => `${baseUrl(tenant)}/${prefix}/${panel}/${page}`,
    firstPanel: panels[0] ?? '',
    serviceNames: (tenant) => [name, new URL(baseUrl(tenant)).hostname, ...panels],
  }
  return {
    change: async (request, compose) => changePassword(parts, request, compose),
    reset: async (request, compose) => resetPassword(parts, request, compose),
    requestLink: (request, compose) => requestLink(parts, request, compose),
    invite: async (invited, compose) => invite(parts, invited, compose),
    async settled() {
      try {
        await withTimeout('the mails about passwords', mailQueue.settled())
      } catch (error) {
        logger.error({ err: error }, 'the service closed before every mail was sent')
      }
    },
  }
}
