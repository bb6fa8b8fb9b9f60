import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { LISTED_NOTIFICATIONS } from '../../../src/rules/panel-limits.ts'
import { Button } from '../parts/button.tsx'
import { useText } from '../session/provider.tsx'
import { BellLoading } from './bell-loading.tsx'
import { BellDays } from './bell-days.tsx'
import type { MarkedBy } from './bell-row.tsx'
import type { BellController } from './use-bell.ts'
import { useMark, type UseMarkOptions } from './use-mark.ts'
import type { FocusAfter } from './use-dismiss.ts'
import { useElementId } from '../parts/element-id.ts'

export interface BellListProps extends BellController, Pick<UseMarkOptions, 'onMarked'> {
  readonly close: (focus: FocusAfter) => void
}

/** Renders the list and its actions. */
export function BellList({ bell, state, close, onMarked }: BellListProps) {
  const text = useText()
  const list = useRef<HTMLDivElement>(null)
  const focusNewest = useFocusNewest(list)
  const mark = useMark({ bell, onMarked })
  const isLoading = state.list === 'loading' || state.list === 'unasked'
  // The previous rows would move when the new ones replace them.
  const entries = isLoading ? [] : state.entries

  function showArrived() {
    bell.showArrived()
    focusNewest()
  }
  function markOne(id: string, by: MarkedBy) {
    void mark.one(id, by === 'mark' ? 'announced' : 'silent')
    if (by === 'here') close('stays')
  }
  return (
    <>
      <BellToolbar state={state} listed={entries.length} onMarkAll={() => void mark.all()} />
      <div data-svc-part="bell-scroll">
        <ArrivedButton arrived={state.arrived.length} onPress={showArrived} />
        {state.list === 'loaded' && entries.length === 0 && <BellEmpty />}
        {isLoading && <BellLoading />}
        <BellDays list={list} entries={entries} isLoading={isLoading} onMark={markOne} />
        {entries.length >= LISTED_NOTIFICATIONS && (
          <p data-svc-part="bell-note">{text('ui.bell.limit', { limit: LISTED_NOTIFICATIONS })}</p>
        )}
      </div>
    </>
  )
}

/**
 * Returns a function that focuses the newest row once it is rendered: the pressed button is gone by
 * then.
 */
function useFocusNewest(list: RefObject<HTMLElement | null>): () => void {
  const [presses, setPresses] = useState(0)
  useLayoutEffect(() => {
    if (presses > 0) list.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [list, presses])
  return () => setPresses(presses + 1)
}

interface BellToolbarProps extends Pick<BellController, 'state'> {
  /** Number of rows on the screen. */
  readonly listed: number
  readonly onMarkAll: () => void
}

/** Renders the actions for the whole list, unless there is nothing to act on. */
function BellToolbar({ state, listed, onMarkAll }: BellToolbarProps) {
  const text = useText()
  const upToDateId = useElementId()
  return (
    <>
      {(listed > 0 || state.arrived.length > 0) && (
        <div data-svc-part="bell-toolbar">
          <Button
            part="bell-mark-all"
            waitsFor={state.unread === 0 ? upToDateId : null}
            onPress={onMarkAll}
          >
            {text('ui.bell.mark_all')}
          </Button>
        </div>
      )}
      <span id={upToDateId} hidden>
        {text('ui.bell.empty_title')}
      </span>
    </>
  )
}

function BellEmpty() {
  const text = useText()
  return (
    <div data-svc-part="bell-empty">
      <p data-svc-part="bell-empty-title">{text('ui.bell.empty_title')}</p>
      <p>{text('ui.bell.empty_body')}</p>
    </div>
  )
}

interface ArrivedButtonProps {
  readonly arrived: number
  readonly onPress: () => void
}

/** Renders the button that shows arrived notifications above the list, so that no row moves. */
function ArrivedButton({ arrived, onPress }: ArrivedButtonProps) {
  const text = useText()
  if (arrived === 0) return null
  return (
    <div data-svc-part="bell-arrived">
      <Button part="bell-new" onPress={onPress}>
        {text('ui.bell.new', { count: arrived })}
      </Button>
    </div>
  )
}
