import { signerFor } from '../crypto.ts'
import type { Compose } from '../email/email-verification.ts'
import { createAccountMails, type AccountMailParts } from './account-mails.ts'
import { LINKS, type AccountParts, type LinkPurpose } from './account-parts.ts'
import { createLinkTokens, type LinkKind, type LinkParts } from './link-tokens.ts'
import { changePassword, type ChangeRequest } from './password-change.ts'
import type { ComposeNotice } from './password-replacement.ts'
import { invite, requestLink, type LinkRequest } from './password-links.ts'
import { resetPassword, type ResetRequest } from './password-reset.ts'

/** Changes and resets passwords, and invites users. */
export type PasswordLayer = ReturnType<typeof createPasswordLayer>

/** The parts of the service and the settings that the layer is created from. */
export interface PasswordLayerParts
  extends Omit<AccountParts, 'tokens' | 'mails' | 'serviceNames'>, AccountMailParts, LinkParts {
  readonly keys: readonly string[]
  /** The name of the panel. */
  readonly name: string
}

/** Creates the passwords layer. */
export function createPasswordLayer(given: PasswordLayerParts) {
  const { keys, baseUrl, panels, name } = given
  const kindOf = (purpose: LinkPurpose): LinkKind => ({
    signer: signerFor(LINKS[purpose].key, keys),
    lifetimeMinutes: LINKS[purpose].minutes,
  })
  const mails = createAccountMails(given, 'password', 'a password')
  const parts: AccountParts = {
    ...given,
    tokens: createLinkTokens({ reset: kindOf('reset'), invite: kindOf('invite') }, given),
    mails,
    serviceNames: (tenant) => [name, new URL(baseUrl(tenant)).hostname, ...panels],
  }
  return {
    change: async (request: ChangeRequest, compose: ComposeNotice) =>
      changePassword(parts, request, compose),
    reset: async (request: ResetRequest, compose: ComposeNotice) =>
      resetPassword(parts, request, compose),
    requestLink: (request: LinkRequest, compose: Compose) => requestLink(parts, request, compose),
    /**
     * Sends an invitation.
     *
     * @throws {InvitationError} The user cannot be invited.
     */
    invite: async (invited: Parameters<typeof invite>[1], compose: Compose) =>
      invite(parts, invited, compose),
    /** Resolves once every mail is sent, has failed, or is late. Never rejects. */
    settled: mails.settled,
  }
}
