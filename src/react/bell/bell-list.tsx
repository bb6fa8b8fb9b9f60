import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { LISTED_NOTIFICATIONS } from '../../rules/limits.ts'
import { Button } from '../button.tsx'
import { useText } from '../provider.tsx'
import { BellLoading } from './bell-loading.tsx'
import { BellDays } from './bell-days.tsx'
import type { MarkedBy } from './bell-row.tsx'
import type { BellController } from './use-bell.ts'
import { useMark } from './use-mark.ts'
import type { UseMarkOptions } from './use-mark.ts'
import type { FocusAfter } from './use-dismiss.ts'

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
      <BellToolbar
        state={state}
        listed={entries.length}
        onShowArrived={showArrived}
        onMarkAll={() => void mark.all()}
      />
      <div data-svc-part="bell-scroll">
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
  readonly onShowArrived: () => void
  readonly onMarkAll: () => void
}

/** Renders the actions for the whole list, unless there is nothing to act on. */
function BellToolbar({ state, listed, onShowArrived, onMarkAll }: BellToolbarProps) {
  const text = useText()
  const upToDateId = useId()
  const arrived = state.arrived.length
  return (
    <>
      {(listed > 0 || arrived > 0) && (
        <div data-svc-part="bell-toolbar">
          <ArrivedButton arrived={arrived} onPress={onShowArrived} />
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
