import { useEffect, useState } from 'react'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import type { ActivityItem } from '../../../src/rules/routes/activity-rows.ts'
import { NetworkError } from '../../client/client.ts'
import { useSession } from '../../react/session/provider.tsx'

/** Facts of the account on the home page; `null` for what is unknown. */
export interface AccountFacts {
  /** The login before the current one. */
  readonly lastLogin: ActivityItem | null
  readonly factor: SuccessBody<'two-factor'> | null
  /** Number of sessions, with the current one. */
  readonly sessions: number | null
}

/** The layers that the home page asks for the account. */
export interface AccountLayers {
  readonly activity: boolean
  readonly factor: boolean
  readonly sessions: boolean
}

/** The page does without an answer that takes longer: a slow part must not hide the rest. */
const DEADLINE_MS = 4000

/**
 * Requests what the home page shows of the account. All of it appears at once, so that nothing
 * moves.
 *
 * @returns `null` while it loads.
 */
export function useAccount({ activity, factor, sessions }: AccountLayers): AccountFacts | null {
  const session = useSession()
  const [account, setAccount] = useState<AccountFacts | null>(null)
  useEffect(() => {
    let isWanted = true
    async function load() {
      const [events, status, list] = await Promise.all([
        activity ? bodyOf(async () => session.call('activity')) : null,
        factor ? bodyOf(async () => session.call('two-factor')) : null,
        sessions ? bodyOf(async () => session.call('sessions')) : null,
      ])
      const [, lastLogin = null] = (events?.data ?? []).filter(({ event }) => event === 'login')
      if (isWanted) setAccount({ lastLogin, factor: status, sessions: list?.data.length ?? null })
    }
    void load()
    return () => {
      isWanted = false
    }
  }, [session, activity, factor, sessions])
  return account
}

type CallResult<Body> =
  | { readonly outcome: 'ok'; readonly body: Body }
  | { readonly outcome: 'refused' }

/** Returns the body of an answer; `null` for a refusal, an outage and a late answer. */
async function bodyOf<Body>(call: () => Promise<CallResult<Body>>): Promise<Body | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DEADLINE_MS)
  })
  try {
    const answer = await Promise.race([call(), late])
    return answer?.outcome === 'ok' ? answer.body : null
  } catch (error) {
    if (error instanceof NetworkError) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}
