import { useEffect, useState } from 'react'
import type { Refusal } from '../../client/client.ts'
import { useSession, useTexts } from '../session/provider.tsx'
import { AlertBox } from '../session/alert-box.tsx'
import { refusalText } from '../texts/refusal-text.ts'
import { CardScreen, useTitle } from '../session/screen.tsx'

/** Props of the screen. @property refusal `null` if the request failed. */
export interface UnreachableScreenProps {
  readonly refusal: Refusal | null
}

/** Renders the screen for a service that has not answered. */
export function UnreachableScreen({ refusal }: UnreachableScreenProps) {
  const texts = useTexts()
  const session = useSession()
  const [attempt, setAttempt] = useState<'none' | 'over' | 'running'>('none')
  const isSpoken = attempt === 'over'
  useTitle(texts.text('ui.unreachable.title'), isSpoken ? 'shown' : 'none')
  useEffect(() => {
    // Screen readers need the region before its message.
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
