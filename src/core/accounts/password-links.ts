import type { EventClient } from '../../contracts/panel-events.ts'
import type { Tenant } from '../../contracts/host.ts'
import { withoutValues } from '../../contracts/driver-errors.ts'
import { InvitationError } from '../../contracts/errors.ts'
import type { HostUser } from '../boundary/checked-users.ts'
import { canonicalEmail, isMailable } from '../../contracts/email-address.ts'
import type { LimitName } from '../../rules/limits.ts'
import type { Compose, Recipient } from '../email/email-verification.ts'
import type { Attempt } from '../attempts/attempts.ts'
import { LINKS, type AccountParts, type LinkPurpose } from './account-parts.ts'

/** A request for a link to a new password. */
export interface LinkRequest extends EventClient {
  readonly email: string
  readonly tenant: Tenant
  readonly panel: string
}

/**
 * Sends a link if the email belongs to a user who may log in with a password. Returns before
 * anything is looked up, so that neither the answer nor its time depends on the email.
 */
export function requestLink(parts: AccountParts, request: LinkRequest, compose: Compose): void {
  const { network } = request
  parts.mails.add(async () => sendIfKnown(parts, request, compose), { network })
}

async function sendIfKnown(
  parts: AccountParts,
  request: LinkRequest,
  compose: Compose,
): Promise<void> {
  const { tenant, network } = request
  const account = canonicalEmail(request.email)
  const counted = await countRequest(parts, account, { tenant, network })
  if (counted === null) return
  try {
    const isSent = await sendToUser(parts, { ...request, account }, compose)
    if (!isSent) await parts.mails.waitAsForMail()
  } catch (error) {
    // Nobody learns that a mail was lost, so the next request must be able to send one. If the mail
    // server delivers it all the same, the limit of the network still holds.
    await counted.release().catch(() => undefined)
    throw error
  }
}

/** Returns whether a link was sent. */
async function sendToUser(
  parts: AccountParts,
  { account, ...request }: LinkRequest & { readonly account: string },
  compose: Compose,
): Promise<boolean> {
  const { tenant, panel, network } = request
  const { users, events } = parts
  const user = await users.findByEmail(account, tenant)
  // A user without a password logs in otherwise, or was invited; a link would open another way in.
  if (user === null || !users.hasPassword(user)) return false
  if (!isMailable(user.email) || !(await users.mayAccess(user))) return false
  await sendLink(parts, 'reset', { user, tenant, panel }, compose)
  events.emit('password.forgot', { userId: user.id, tenant, network }, request)
  return true
}

/** Counts the request, for an unknown email, too; `null`: it is beyond a limit. */
async function countRequest(
  { attempts }: AccountParts,
  account: string,
  { tenant, network }: Pick<LinkRequest, 'tenant' | 'network'>,
): Promise<Attempt | null> {
  const count = async (limit: LimitName, of: string): Promise<Attempt | null> => {
    const attempt = await attempts.reserve(limit, limit, of, tenant)
    return attempt.granted ? attempt : null
  }
  const ofNetwork = await count('password.mail.network', network)
  return ofNetwork && count('password.mail.email', account)
}

/**
 * Sends an invitation to choose a password.
 *
 * @throws {InvitationError} The user does not exist, may not log in, or has an address that cannot
 *   be mailed.
 */
export async function invite(
  parts: AccountParts,
  { host, tenant, panel }: HostUser & Omit<Recipient, 'user'>,
  compose: Compose,
): Promise<void> {
  const { users, events } = parts
  // The token is bound to the stored email and hash, which the object of the host may lack.
  const named = users.identify(host)
  const user = users.isIn(named, tenant) ? await users.findById(named.id, tenant) : null
  if (user === null) throw new InvitationError('no such user exists in this tenant')
  if (!(await users.mayAccess(user)))
    throw new InvitationError('`canAccessPanel` refuses this user, who could not log in')
  if (!isMailable(user.email))
    throw new InvitationError('the email address has characters that cannot be mailed')
  await sendLink(parts, 'invite', { user, tenant, panel }, compose)
  events.emit('user.invited', { userId: user.id, tenant }, null)
}

/** Sends a link. Its token is in the fragment, which browsers send to no server. */
async function sendLink(
  { tokens, mails }: AccountParts,
  purpose: LinkPurpose,
  { user, tenant, panel }: Recipient,
  compose: Compose,
): Promise<void> {
  const { email } = user
  const token = tokens.issue(purpose, tenant, user)
  const fragment = new URLSearchParams({ token, email })
  const link = `${mails.pageUrl(tenant, panel, LINKS[purpose].page)}#${fragment.toString()}`
  try {
    await mails.send({ to: email, ...compose(link, LINKS[purpose].minutes) })
  } catch (error) {
    // A mail server may repeat the link in its refusal, which a host logs.
    throw withoutValues(error)
  }
}
