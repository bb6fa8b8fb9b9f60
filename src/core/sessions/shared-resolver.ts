import type { Tenant } from '../../contracts/host.ts'
import type { UserResolver } from './resolve-user.ts'

/**
 * Shares reads between checks of one session that are due at the same time: a thousand tabs of a
 * browser are checked after every change.
 */
export type SharedResolver = ReturnType<typeof createSharedResolver>

interface SharedRead {
  readonly number: number
  readonly tenant: Tenant
  readonly holder: ReturnType<UserResolver['resolve']>
}

/** The checks of a session that have not ended, and the latest read of theirs. */
interface SessionChecks {
  running: number
  latest: SharedRead | null
}

export function createSharedResolver(resolver: UserResolver) {
  const checks = new Map<string, SessionChecks>()
  let reads = 0

  function read(own: SessionChecks, sessionId: string, tenant: Tenant): SharedRead {
    reads += 1
    const latest = { number: reads, tenant, holder: resolver.resolve(sessionId, tenant) }
    own.latest = latest
    // A check that begins its turn after the failure reads again.
    latest.holder.catch(() => (own.latest = own.latest === latest ? null : own.latest))
    return latest
  }

  return {
    /** Begins a check. It never receives a read that began before this call. */
    begin(sessionId: string | null): UserResolver & { readonly end: () => void } {
      if (sessionId === null) return { ...resolver, end: () => undefined }
      const own = checks.get(sessionId) ?? { running: 0, latest: null }
      checks.set(sessionId, own)
      own.running += 1
      const readsBefore = reads
      return {
        async resolve(presentedId, tenant) {
          if (presentedId !== sessionId) return resolver.resolve(presentedId, tenant)
          const { latest } = own
          // A middleware of the host may decide on another tenant than for the other tabs.
          const isFresh = latest !== null && latest.number > readsBefore && latest.tenant === tenant
          return (isFresh ? latest : read(own, sessionId, tenant)).holder
        },
        end() {
          own.running -= 1
          if (own.running === 0) checks.delete(sessionId)
        },
      }
    },
  }
}
