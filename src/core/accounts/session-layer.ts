import type { EventClient } from '../../contracts/panel-events.ts'
import type { Tenant } from '../../contracts/host.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { times } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Bell } from '../bell/notifications.ts'
import type { User } from '../boundary/checked-users.ts'
import { signerFor } from '../crypto.ts'
import { isMailable } from '../../contracts/email-address.ts'
import type { Mail } from '../email/email-verification.ts'
import { endLoginsOf, type EndingParts } from '../login/end-logins.ts'
import type { LoginParts } from '../login/login-parts.ts'
import type { ArrivingLogin } from '../login/login-places.ts'
import type { SessionPlace } from '../sessions/session-details.ts'
import { shortenedNetwork } from '../sessions/shortened-network.ts'
import { browserOf } from '../sessions/user-agent.ts'
import { createAccountMails, type AccountMailParts, type AccountMails } from './account-mails.ts'
import { createLinkTokens, type LinkParts, type LinkTokens } from './link-tokens.ts'
import { surplusOf } from '../sessions/surplus.ts'

/** Keeps the places of sessions, and informs users of logins at places that are not known. */
export type SessionLayer = ReturnType<typeof createSessionLayer>

/** A request of a user who disowns a login by the token of a link. */
export interface DisownRequest extends EventClient {
  readonly token: string
  readonly tenant: Tenant
}

/** The texts about a login at a place that is not known. */
export interface LoginNotice {
  readonly title: string
  readonly body: string
  readonly mail: (link: string, lifetimeMinutes: number) => Mail
}

/** A login that a notice is about. */
export interface NoticedLogin {
  readonly place: SessionPlace
  readonly at: number
  readonly acceptLanguage: string | null
}

/** The parts of the service and the settings that the layer is created from. */
export interface SessionLayerParts
  extends EndingParts, AccountMailParts, LinkParts, Pick<LoginParts, 'ceiling' | 'devices'> {
  readonly bell: Bell
  readonly keys: readonly string[]
  readonly compose: (login: NoticedLogin) => LoginNotice
}

interface LayerParts extends SessionLayerParts {
  readonly tokens: LinkTokens<'disown'>
  readonly mails: AccountMails
}

/** Creates the layer of sessions. */
export function createSessionLayer(given: SessionLayerParts) {
  const signer = signerFor('login.disown', given.keys)
  const kinds = { disown: { signer, lifetimeMinutes: times.disownMinutes } }
  const mails = createAccountMails(given, 'login', 'a login')
  const tokens = createLinkTokens(kinds, given)
  const parts: LayerParts = { ...given, mails, tokens }
  return {
    async place(login: ArrivingLogin) {
      const { network, userAgent } = login.source
      const place = { ...browserOf(userAgent), network: shortenedNetwork(network) }
      await endSurplus(parts, login.owner)
      const isKnown = await parts.ceiling.isKnown(login.owner, login.source)
      const at = parts.clock.now()
      const { acceptLanguage } = login.source
      const report = (): void =>
        mails.add(async () => notice(parts, login, isKnown, { place, at, acceptLanguage }), {
          userId: login.user.id,
        })
      return { details: { place }, report }
    },
    disown: async (request: DisownRequest) => disown(parts, request),
    /** Resolves once every mail is sent, has failed, or is late. Never rejects. */
    settled: mails.settled,
  }
}

/** Ends the sessions that were used least recently, if one more would be too many. */
async function endSurplus({ sessions }: LayerParts, owner: Owner): Promise<void> {
  const surplus = surplusOf(await sessions.listOf(owner), ({ record }) => record.lastSeenAt)
  await Promise.all(surplus.map(async (session) => sessions.end(session, null)))
}

/** The first login of a user opens a window, which no later one opens again. */
const FIRST = { max: 1, windowSeconds: times.firstLoginSeconds } as const

/** The times that a user has disowned a login. Each makes every place new again. */
const DISOWNED = { ...FIRST, max: Infinity } as const

/**
 * Informs the user of a login, unless its place is known or it is the first one ever: everything
 * about that is new to the user.
 */
async function notice(
  parts: LayerParts,
  arriving: ArrivingLogin,
  isKnown: boolean,
  login: NoticedLogin,
): Promise<void> {
  const { attempts, events, tokens, mails, bell, compose } = parts
  const { user, owner, source } = arriving
  const { tenant, userId } = owner
  const first = await attempts.count(FIRST, 'login.first', ownerKey(owner))
  const isNew = await isNewSinceDisowned(parts, arriving)
  if (first.granted || (isKnown && !isNew)) return
  events.emit('login.unknown-place', { userId, tenant, network: source.network }, source)
  // Somebody with the password and many networks must not fill the mailbox.
  const noticed = await attempts.reserve('login.notice', 'login.notice', ownerKey(owner))
  if (!noticed.granted) return
  const { title, body, mail } = compose(login)
  const { email } = user
  async function send(): Promise<void> {
    if (!isMailable(email)) return
    const token = tokens.issue('disown', tenant, user)
    // The token is in the fragment, which browsers send to no server.
    const link = `${mails.pageUrl(tenant, mails.firstPanel, 'not-me')}#token=${token}`
    await mails.send({ to: email, ...mail(link, times.disownMinutes) })
  }
  const url = mails.pageUrl(tenant, mails.firstPanel, 'security')
  const entry = {
    type: 'svc.login.unknown-place',
    via: () => ['database'],
    toDatabase: () => ({ title, body, url }),
  }
  // Neither waits for the other, so that a broken one does not keep the other back.
  await Promise.all([send(), bell.send(user, entry, tenant)])
}

/**
 * Returns whether no login since the user disowned one was in this network or browser. The place of
 * a thief is known from the login that was disowned, and must be reported again.
 */
async function isNewSinceDisowned(
  { attempts, devices }: LayerParts,
  { owner, source }: ArrivingLogin,
): Promise<boolean> {
  const key = ownerKey(owner)
  const disowned = await attempts.used('login.disowned', key)
  if (disowned === 0) return false
  const places = [source.network, devices.recognise(source.deviceCookie, owner)]
    .filter((place) => place !== null)
    .map((place) => ['login.since-disowned', String(disowned), place, key])
  const seen = await Promise.all(places.map(async (place) => attempts.used(...place)))
  for (const place of places) await attempts.remember(times.knownPlaceSeconds, ...place)
  return seen.every((logins) => logins === 0)
}

/**
 * Ends every session and pending login of the user for whom a token was made.
 *
 * @returns the user; `null` when the token has died, having changed nothing.
 */
async function disown(parts: LayerParts, request: DisownRequest): Promise<User | null> {
  const { tokens, users, events, attempts } = parts
  const { token, tenant, network } = request
  const presented = tokens.read(token, tenant)
  const user = presented && (await users.findById(presented.userId, tenant))
  if (presented === null || user === null || !tokens.fits(presented, user)) return null
  const used = await tokens.use(presented)
  if (used === null) return null
  const owner = { tenant, userId: user.id }
  try {
    await attempts.count(DISOWNED, 'login.disowned', ownerKey(owner))
    await endLoginsOf(parts, owner, request)
  } catch (error) {
    // Ending sessions twice is harmless; a link that an outage has used up is not.
    await used.release()
    throw error
  }
  events.emit('login.disowned', { userId: user.id, tenant, network }, request)
  return user
}
