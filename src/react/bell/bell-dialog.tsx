import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ComponentType } from 'react'
import type { MarkOutcome } from '../../client/client.ts'
import { Button } from '../button.tsx'
import { useAnnounce, useText, useTexts } from '../provider.tsx'
import { refusalText } from '../refusal-text.ts'
import type { Texts } from '../texts.ts'
import type { BellListProps } from './bell-list.tsx'
import type { UsedBell } from './use-bell.ts'
import type { FocusAfter } from './use-popover.ts'

export interface BellDialogProps extends UsedBell {
  readonly id: string
  readonly close: (focus: FocusAfter) => void
}

/** The list of notifications beside its button: nothing behind it is shut off. */
export function BellDialog({ id, bell, state, close }: BellDialogProps) {
  const texts = useTexts()
  const { text } = texts
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { List, part, load } = useListPart()
  const [marked, setMarked] = useState<MarkOutcome | null>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    void bell.open()
    void load()
    return bell.close
  }, [bell, load])

  const failed = state.list === 'failed' || part === 'failed'
  const isLoading = List === null || (state.list !== 'loaded' && state.entries.length === 0)
  return (
    <div id={id} role="dialog" aria-labelledby={titleId} data-svc-part="bell-dialog">
      <h2 ref={heading} id={titleId} tabIndex={-1} data-svc-part="bell-heading">
        {text('ui.bell.title')}
      </h2>
      <div role="alert" data-svc-part="bell-alert">
        {failed ? text('ui.bell.error') : problemOf(marked, texts)}
      </div>
      {failed ? (
        <Button
          part="retry"
          onPress={() => {
            void bell.open()
            void load()
          }}
        >
          {text('ui.retry')}
        </Button>
      ) : (
        isLoading && <Loading />
      )}
      {List && <List bell={bell} state={state} close={close} onMarked={setMarked} />}
    </div>
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

/** The list is a file of its own, which may fail to arrive like any other. */
function useListPart() {
  const [List, setList] = useState<ComponentType<BellListProps> | null>(null)
  const [part, setPart] = useState<'fetched' | 'failed'>('fetched')
  const load = useCallback(async () => {
    setPart('fetched')
    try {
      const { BellList } = await import('./bell-list.tsx')
      setList(() => BellList)
    } catch {
      setPart('failed')
    }
  }, [])
  return { List, part, load }
}
