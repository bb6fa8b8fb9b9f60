import { useEffect, useState } from 'react'
import type { Refusal } from '../../src/client/client.ts'
import { AlertBox, refusalText, useSession, useTexts } from '../../src/react/react.ts'
import { CardScreen, useTitle } from '../screen.tsx'

/** @property refusal `null` when nothing answered. */
export interface UnreachableScreenProps {
  readonly refusal: Refusal | null
}

/** Nobody knows yet who is here: the service did not say. */
export function UnreachableScreen({ refusal }: UnreachableScreenProps) {
  const texts = useTexts()
  const session = useSession()
  const [attempt, setAttempt] = useState<'none' | 'over' | 'running'>('none')
  const isSpoken = attempt === 'over'
  useTitle(texts.text('ui.unreachable.title'), isSpoken ? 'shown' : 'none')
  useEffect(() => {
    // The region is there first; what it says comes after.
    const timer = setTimeout(setAttempt, 0, 'over')
    return () => clearTimeout(timer)
  }, [])

  async function retry() {
    setAttempt('running')
    await session.refresh()
    setAttempt('over')
  }

  const message = refusal === null ? texts.text('ui.network') : refusalText(texts, refusal)
  return (
    <CardScreen>
      <h1>{texts.text('ui.unreachable.title')}</h1>
      <AlertBox
        content={isSpoken ? { tone: 'problem', message } : null}
        focusOn={isSpoken ? attempt : null}
      />
      <button
        type="button"
        data-svc-part="retry"
        aria-busy={attempt === 'running' || undefined}
        onClick={() => void retry()}
      >
        {texts.text('ui.retry')}
      </button>
    </CardScreen>
  )
}
