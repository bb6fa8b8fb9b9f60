import { useState } from 'react'
import type { Refusal } from '../../client/client.ts'
import { useSession, useTexts } from '../session/provider.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { Button } from '../parts/button.tsx'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { outageText } from '../session/refusal-text.ts'
import { CardScreen } from '../session/screen.tsx'

/** Props of the screen. @property refusal `null` if the request failed. */
export interface UnreachableScreenProps {
  readonly refusal: Refusal | null
}

/** Renders the screen for a service that has not answered. */
export function UnreachableScreen({ refusal }: UnreachableScreenProps) {
  const texts = useTexts()
  const session = useSession()
  const [failures, setFailures] = useState(1)
  const [isTrying, setIsTrying] = useState(false)
  const spoken = useDelayedMessage(failures)
  const title = texts.text('ui.unreachable.title')

  async function retry() {
    setIsTrying(true)
    await session.refresh()
    setIsTrying(false)
    setFailures(failures + 1)
  }

  return (
    <CardScreen title={title} problem={spoken === null ? 'none' : 'shown'}>
      <AlertBox
        content={problemContent(spoken === null ? null : outageText(refusal, texts))}
        focusOn={spoken}
      >
        <Button part="retry" busy={isTrying} onPress={() => void retry()}>
          {texts.text('ui.retry')}
        </Button>
      </AlertBox>
    </CardScreen>
  )
}
