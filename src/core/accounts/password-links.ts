import type { EventClient } from '../../contracts/panel-events.ts'
import type { Tenant } from '../../contracts/host.ts'
import { InvitationError } from '../../contracts/errors.ts'
import type { User } from '../boundary/checked-users.ts'
import { canonicalEmail, isMailable } from '../../contracts/email-address.ts'
import type { LimitName } from '../../rules/limits.ts'
import type { Compose } from '../email/email-verification.ts'
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
  parts.mails.add(async () => sendIfKnown(parts, request, compose))
}

async function sendIfKnown(
  parts: AccountParts,
  request: LinkRequest,
  compose: Compose,
): Promise<void> {
  const { email, tenant, panel, network } = request
  const { users, events } = parts
  const account = canonicalEmail(email)
  if (!(await isWithinCeilings(parts, account, { tenant, network }))) return
  const user = await users.findByEmail(account, tenant)
  // A user without a password logs in otherwise, or was invited; a link would open another way in.
  if (user === null || !users.hasPassword(user)) return
  if (!isMailable(user.email) || !(await users.mayAccess(user))) return
  await sendLink(parts, 'reset', { user, tenant, panel }, compose)
  events.emit('password.forgot', { userId: user.id, tenant, network }, request)
}

/** Counts the request, for an unknown email, too. */
async function isWithinCeilings(
  { attempts }: AccountParts,
  account: string,
  { tenant, network }: Pick<LinkRequest, 'tenant' | 'network'>,
): Promise<boolean> {
  const isWithin = async (limit: LimitName, of: string): Promise<boolean> =>
    (await attempts.reserve(limit, limit, of, tenant)).granted
  return (
    (await isWithin('password.mail.network', network)) && isWithin('password.mail.email', account)
  )
}

/**
 * Sends an invitation to choose a password.
 *
 * @throws {InvitationError} The user does not exist, may not log in, or has an address that cannot
 *   be mailed.
 */
export async function invite(
  parts: AccountParts,
  {
    host,
    tenant,
    panel,
  }: { readonly host: unknown; readonly tenant: Tenant; readonly panel: string },
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
  { user, tenant, panel }: { readonly user: User; readonly tenant: Tenant; readonly panel: string },
  compose: Compose,
): Promise<void> {
  const { email } = user
  const token = tokens.issue(purpose, tenant, user)
  const fragment = new URLSearchParams({ token, email })
  const link = `${mails.pageUrl(tenant, panel, LINKS[purpose].page)}#${fragment.toString()}`
  await mails.mailer.send({ to: email, ...compose(link, LINKS[purpose].minutes) })
}
