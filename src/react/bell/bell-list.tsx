import { useId, useLayoutEffect, useRef, useState } from 'react'
import { LISTED_NOTIFICATIONS } from '../../rules/limits.ts'
import { Button } from '../button.tsx'
import { useText } from '../provider.tsx'
import { BellLoading } from './bell-loading.tsx'
import { BellRow } from './bell-row.tsx'
import type { MarkedBy } from './bell-row.tsx'
import { useNow } from './moment.tsx'
import type { BellController } from './use-bell.ts'
import { useMark } from './use-mark.ts'
import type { UseMarkOptions } from './use-mark.ts'
import type { FocusAfter } from './use-popover.ts'

export interface BellListProps extends BellController, Pick<UseMarkOptions, 'onMarked'> {
  readonly close: (focus: FocusAfter) => void
}

/** Renders the list and its actions. */
export function BellList({ bell, state, close, onMarked }: BellListProps) {
  const text = useText()
  const now = useNow()
  const upToDateId = useId()
  const list = useRef<HTMLUListElement>(null)
  const [shows, setShows] = useState(0)
  const mark = useMark({ bell, onMarked })
  const isLoading = state.list === 'loading' || state.list === 'unasked'
  // The previous rows would move when the new ones replace them.
  const entries = isLoading ? [] : state.entries
  const { arrived } = state

  useLayoutEffect(() => {
    // The pressed button is gone, and the newest row is there.
    if (shows > 0) list.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [shows])

  function showArrived() {
    bell.showArrived()
    setShows(shows + 1)
  }
  function markOne(id: string, by: MarkedBy) {
    void mark.one(id, by === 'mark' ? 'said' : 'unsaid')
    if (by === 'here') close('stays')
  }
  return (
    <>
      {(entries.length > 0 || arrived.length > 0) && (
        <div data-svc-part="bell-toolbar">
          <ArrivedButton arrived={arrived.length} onPress={showArrived} />
          <Button
            part="bell-mark-all"
            waitsFor={state.unread === 0 ? upToDateId : null}
            onPress={() => void mark.all()}
          >
            {text('ui.bell.mark_all')}
          </Button>
        </div>
      )}
      <span id={upToDateId} hidden>
        {text('ui.bell.empty_title')}
      </span>
      <div data-svc-part="bell-scroll">
        {state.list === 'loaded' && entries.length === 0 && (
          <div data-svc-part="bell-empty">
            <p data-svc-part="bell-empty-title">{text('ui.bell.empty_title')}</p>
            <p>{text('ui.bell.empty_body')}</p>
          </div>
        )}
        {isLoading && <BellLoading />}
        <ul ref={list} role="list" aria-busy={isLoading || undefined} data-svc-part="bell-list">
          {entries.map((entry) => (
            <BellRow
              key={entry.id}
              entry={entry}
              now={now}
              onMark={(by) => markOne(entry.id, by)}
            />
          ))}
        </ul>
        {entries.length >= LISTED_NOTIFICATIONS && (
          <p data-svc-part="bell-note">{text('ui.bell.limit', { limit: LISTED_NOTIFICATIONS })}</p>
        )}
      </div>
    </>
  )
}

interface ArrivedButtonProps {
  readonly arrived: number
  readonly onPress: () => void
}

/** The widest count that is shown. */
const WIDEST = 99

/**
 * Renders the button that shows arrived notifications. It keeps its space while hidden, so that no
 * row moves when it appears.
 */
function ArrivedButton({ arrived, onPress }: ArrivedButtonProps) {
  const text = useText()
  return (
    <div data-svc-part="bell-arrived">
      <span aria-hidden="true" data-svc-part="bell-place">
        {text('ui.bell.new', { count: WIDEST })}
      </span>
      {arrived > 0 && (
        <Button part="bell-new" onPress={onPress}>
          {text('ui.bell.new', { count: arrived })}
        </Button>
      )}
    </div>
  )
}
