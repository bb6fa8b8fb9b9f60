import { useEffect, useState, type RefObject } from 'react'
import type { MarkOutcome } from '../../client/bell/bell-calls.ts'
import { Button } from '../parts/button.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useTexts } from '../session/provider.tsx'
import { problemOf } from '../session/refusal-text.ts'
import { BellList } from './bell-list.tsx'
import type { BellController } from './use-bell.ts'
import type { FocusAfter } from './use-dismiss.ts'

export interface BellDialogProps extends BellController {
  /** Heading of the dialog. It takes the focus when a button that was pressed disappears. */
  readonly heading: RefObject<HTMLElement | null>
  readonly close: (focus: FocusAfter) => void
}

/** Renders the dialog's content: the list, and errors below it, so that no row moves. */
export function BellDialog({ bell, state, heading, close }: BellDialogProps) {
  const texts = useTexts()
  const { text } = texts
  const [marked, setMarked] = useState<MarkOutcome | null>(null)
  useEffect(() => {
    void bell.open()
    return bell.close
  }, [bell])
  const failed = state.list === 'failed'

  function retry() {
    heading.current?.focus()
    void bell.open()
  }
  return (
    <>
      <BellList bell={bell} state={state} close={close} onMarked={setMarked} />
      <div data-svc-part="bell-foot">
        <AlertBox
          content={problemContent(
            failed ? text('ui.bell.error') : marked && problemOf(marked, texts),
          )}
        >
          {failed && (
            <Button part="retry" onPress={retry}>
              {text('ui.retry')}
            </Button>
          )}
        </AlertBox>
      </div>
    </>
  )
}
