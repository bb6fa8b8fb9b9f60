import { signerFor } from '../crypto.ts'
import type { Compose } from '../email/email-verification.ts'
import { createAccountMails, type AccountMailParts } from './account-mails.ts'
import { LINK_MINUTES, type AccountParts } from './account-parts.ts'
import { createLinkTokens, type LinkKind, type LinkParts } from './link-tokens.ts'
import { changePassword, type ChangeOutcome, type ChangeRequest } from './password-change.ts'
import type { ComposeNotice } from './password-replacement.ts'
import { invite, requestLink, type LinkRequest } from './password-links.ts'
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
export interface PasswordLayerParts
  extends Omit<AccountParts, 'tokens' | 'mails' | 'serviceNames'>, AccountMailParts, LinkParts {
  readonly keys: readonly string[]
  /** The name of the panel. */
  readonly name: string
}

/** Creates the passwords layer. */
export function createPasswordLayer(given: PasswordLayerParts): PasswordLayer {
  const { keys, baseUrl, panels, name } = given
  const kindOf = (purpose: string, lifetimeMinutes: number): LinkKind => ({
    signer: signerFor(purpose, keys),
    lifetimeMinutes,
  })
  const mails = createAccountMails(given, 'password', 'a password')
  const parts: AccountParts = {
    ...given,
    tokens: createLinkTokens(
      {
        reset: kindOf('password.reset', LINK_MINUTES.reset),
        invite: kindOf('password.invitation', LINK_MINUTES.invite),
      },
      given,
    ),
    mails,
    serviceNames: (tenant) => [name, new URL(baseUrl(tenant)).hostname, ...panels],
  }
  return {
    change: async (request, compose) => changePassword(parts, request, compose),
    reset: async (request, compose) => resetPassword(parts, request, compose),
    requestLink: (request, compose) => requestLink(parts, request, compose),
    invite: async (invited, compose) => invite(parts, invited, compose),
    settled: mails.settled,
  }
}
