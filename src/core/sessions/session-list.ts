import crypto from 'node:crypto'
import type { EventClient } from '../../contracts/panel-events.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import type { Events } from '../events.ts'
import type { SecurityStamps } from './security-stamps.ts'
import { detailsOf, type SessionPlace } from './session-details.ts'
import type { Session, Sessions } from './sessions.ts'

/** A session as its user and operators see it. */
export interface ListedSession {
  /** Names the session among those of its user. The session cannot be derived from it. */
  readonly handle: string
  readonly createdAt: EpochMs
  readonly lastSeenAt: EpochMs
  readonly expiresAt: EpochMs
  /** The end of a remembered session; `null` for others. */
  readonly rememberedUntil: EpochMs | null
  /** `password-changed`: the session ends at its next request. */
  readonly state: 'active' | 'password-changed'
  /** True while a second factor that was set up in it waits for its first code. */
  readonly isSettingUpTwoFactor: boolean
  /** `null`: the session was opened while `sessions.devices` was not bound. */
  readonly place: SessionPlace | null
  /** The time at which the user last entered the password or a code in it; `null`: never. */
  readonly confirmedAt: EpochMs | null
  /** Names how the host has checked the user; `null` after a login of the service. */
  readonly openedBy: string | null
  /** True while another person acts as the user in it. */
  readonly isImpersonated: boolean
}

/** Lists the sessions of a user, and ends one of them. */
export type SessionList = ReturnType<typeof createSessionList>

export function createSessionList(sessions: Sessions, stamps: SecurityStamps, events: Events) {
  function listed(all: readonly Session[], credential: string | null): readonly ListedSession[] {
    return all
      .toSorted((one, other) => other.record.lastSeenAt - one.record.lastSeenAt)
      .map((session) =>
        toListedSession(session, {
          isFitting: credential !== null && stamps.fits(session.record.stamp, credential),
          rememberedUntil: sessions.rememberedEndOf(session),
        }),
      )
  }
  return {
    /**
     * Returns the sessions, the most recently seen first.
     *
     * @param credential `null`: the user is gone.
     */
    of: async (owner: Owner, credential: string | null) =>
      listed(await sessions.listOf(owner), credential),
    /** Returns those that are not refused at their next request. */
    async activeOf(owner: Owner, credential: string | null) {
      const open = (await sessions.listOf(owner)).filter(({ isOpen }) => isOpen)
      return listed(open, credential).filter(({ state }) => state === 'active')
    },
    /** Ends the session of a handle. Resolves to false when the owner has no such session. */
    async end({ tenant, userId }: Owner, handle: string, client: EventClient | null) {
      const all = await sessions.listOf({ tenant, userId })
      const session = all.find(({ key }) => handleOf(key) === handle)
      if (session === undefined || !(await sessions.end(session, client))) return false
      events.emit('session.revoked', { userId, tenant, ended: 1 }, client)
      return true
    },
  }
}

function toListedSession(
  { key, record }: Session,
  {
    isFitting,
    rememberedUntil,
  }: Pick<ListedSession, 'rememberedUntil'> & { readonly isFitting: boolean },
): ListedSession {
  const { createdAt, lastSeenAt, expiresAt, pendingSecret } = record
  const { place = null, confirmedAt = null, openedBy = null, impersonator } = detailsOf(record)
  return {
    handle: handleOf(key),
    createdAt,
    lastSeenAt,
    expiresAt,
    state: isFitting ? 'active' : 'password-changed',
    isSettingUpTwoFactor: pendingSecret !== null,
    place,
    confirmedAt,
    openedBy,
    isImpersonated: impersonator !== undefined,
    rememberedUntil,
  }
}

const HANDLE_CHARACTERS = 12

/**
 * Returns the handle of a session: 48 bits of a hash of its key, which is itself a hash of the id.
 * Terminals, logs and pages keep it, so it must lead neither to the id nor to the key.
 */
export function handleOf(key: string): string {
  return crypto.hash('sha256', `session-handle:${key}`, 'hex').slice(0, HANDLE_CHARACTERS)
}
