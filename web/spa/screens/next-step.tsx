import { useEffect, useState } from 'react'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import { NetworkError } from '../../client/client.ts'
import type { PanelSession } from '../../client/client.ts'
import { useSession, useText } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'

type FactorStatus = SuccessBody<'two-factor'>

/** Invites users whose second factor is off to set it up; renders nothing in every other case. */
export function NextStep() {
  const text = useText()
  const { base, twoFactor } = usePage()
  const factor = useFactorOff(twoFactor)
  if (factor === null) return null
  const { required_in_days: daysLeft } = factor
  return (
    <section className="svc-next" aria-labelledby="svc-next">
      <h2 id="svc-next">{text('ui.home.protect_title')}</h2>
      <p>{text('ui.home.protect')}</p>
      {daysLeft !== undefined && <p>{text('ui.tf.due', { count: daysLeft })}</p>}
      <p>
        <a className="svc-action" href={`${base}/security`}>
          {text('ui.home.protect_link')}
        </a>
      </p>
    </section>
  )
}

/** Returns the user's second factor once the service has answered that it is off. */
function useFactorOff(twoFactor: 'bound' | 'absent'): FactorStatus | null {
  const session = useSession()
  const [factor, setFactor] = useState<FactorStatus | null>(null)
  useEffect(() => {
    if (twoFactor === 'absent') return undefined
    let wanted = true
    async function ask() {
      const answer = await requestFactorOff(session)
      if (wanted) setFactor(answer)
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [session, twoFactor])
  return factor
}

/** Requests the status. An outage counts as on: the home page does without the answer. */
async function requestFactorOff(session: PanelSession): Promise<FactorStatus | null> {
  try {
    const answer = await session.call('two-factor')
    return answer.outcome === 'ok' && !answer.body.enabled ? answer.body : null
  } catch (error) {
    if (error instanceof NetworkError) return null
    throw error
  }
}
