import { useEffect, useState } from 'react'
import { NetworkError } from '../../client/client.ts'
import type { PanelSession } from '../../client/client.ts'
import { useSession, useText } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'

/** Invites users whose second factor is off to set it up; renders nothing in every other case. */
export function NextStep() {
  const text = useText()
  const { base, twoFactor } = usePage()
  const isOff = useIsOff(twoFactor)
  if (!isOff) return null
  return (
    <section className="svc-next" aria-labelledby="svc-next">
      <h2 id="svc-next">{text('ui.home.protect_title')}</h2>
      <p>{text('ui.home.protect')}</p>
      <p>
        <a className="svc-action" href={`${base}/security`}>
          {text('ui.home.protect_link')}
        </a>
      </p>
    </section>
  )
}

/** Returns `true` once the service has answered that the user's second factor is off. */
function useIsOff(twoFactor: 'bound' | 'absent'): boolean {
  const session = useSession()
  const [isOff, setIsOff] = useState(false)
  useEffect(() => {
    if (twoFactor === 'absent') return undefined
    let wanted = true
    async function ask() {
      const answer = await askWhetherOff(session)
      if (wanted) setIsOff(answer)
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [session, twoFactor])
  return isOff
}

/** Asks the service. An outage counts as no: the home page does without the answer. */
async function askWhetherOff(session: PanelSession): Promise<boolean> {
  try {
    const answer = await session.call('two-factor')
    return answer.outcome === 'ok' && !answer.body.enabled
  } catch (error) {
    if (error instanceof NetworkError) return false
    throw error
  }
}
