import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MarkOutcome } from '../../client/client.ts'
import { Button } from '../button.tsx'
import { useAnnounce, useText, useTexts } from '../provider.tsx'
import { refusalText } from '../refusal-text.ts'
import type { Texts } from '../texts.ts'
import { BellList } from './bell-list.tsx'
import type { UsedBell } from './use-bell.ts'
import type { FocusAfter } from './use-popover.ts'

export interface BellDialogProps extends UsedBell {
  /** Of the heading, which names the dialog. */
  readonly titleId: string
  readonly close: (focus: FocusAfter) => void
}

/** The list of notifications beside its button: nothing behind it is shut off. */
export function BellDialog({ titleId, bell, state, close }: BellDialogProps) {
  const texts = useTexts()
  const { text } = texts
  const heading = useRef<HTMLHeadingElement>(null)
  const [marked, setMarked] = useState<MarkOutcome | null>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    void bell.open()
    return bell.close
  }, [bell])

  const failed = state.list === 'failed'
  const isLoading = state.list !== 'loaded' && state.entries.length === 0
  return (
    <>
      <h2 ref={heading} id={titleId} tabIndex={-1} data-svc-part="bell-heading">
        {text('ui.bell.title')}
      </h2>
      <div role="alert" data-svc-part="bell-alert">
        {failed ? text('ui.bell.error') : problemOf(marked, texts)}
      </div>
      {failed ? (
        <Button part="retry" onPress={() => void bell.open()}>
          {text('ui.retry')}
        </Button>
      ) : (
        isLoading && <Loading />
      )}
      <BellList bell={bell} state={state} close={close} onMarked={setMarked} />
    </>
  )
}

/** Why something was not marked. */
function problemOf(marked: MarkOutcome | null, texts: Texts): string | null {
  if (marked === null || marked.outcome === 'ok') return null
  return marked.outcome === 'refused'
    ? refusalText(texts, marked.refusal)
    : texts.text('ui.network')
}

function Loading() {
  const text = useText()
  const announce = useAnnounce()
  const message = text('ui.bell.loading')
  useEffect(() => {
    announce(message)
    return () => announce('')
  }, [announce, message])
  return <p data-svc-part="bell-note">{message}</p>
}
