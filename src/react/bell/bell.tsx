import { useCallback, useId, useRef, useState } from 'react'
import { ErrorBoundary } from '../error-boundary.tsx'
import { PanelGuard } from '../guard.tsx'
import { useText } from '../provider.tsx'
import { usePart } from '../use-part.ts'
import { BellShell } from './bell-shell.tsx'
import { useArrivals } from './use-arrivals.ts'
import { useBell } from './use-bell.ts'
import type { UseBellOptions } from './use-bell.ts'
import { usePopover } from './use-popover.ts'
import type { FocusAfter } from './use-popover.ts'

export type BellProps = UseBellOptions

const MOST_SHOWN = 99

/**
 * Renders a button with the count of unread notifications, which opens their list. Renders nothing
 * without a session.
 */
export function Bell(props: BellProps) {
  return (
    <PanelGuard>
      {/* A bell that fails must not break the page. */}
      <ErrorBoundary fallback={null} resetOn="">
        <BellPopover {...props} />
      </ErrorBoundary>
    </PanelGuard>
  )
}

function BellPopover(props: BellProps) {
  const used = useBell(props)
  const text = useText()
  const dialogId = useId()
  const titleId = useId()
  const [part, fetchPart] = usePart(loadDialog)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [shown, setShown] = useState<'open' | 'closed'>('closed')
  const close = useCallback((focus: FocusAfter) => {
    // While the dialog is modal, nothing else can take the focus.
    if (dialog.current?.matches(':modal') === true) dialog.current.close()
    if (focus === 'back') button.current?.focus()
    setShown('closed')
  }, [])
  function open() {
    setShown('open')
    if (part.state !== 'loaded') void fetchPart()
  }
  usePopover(whole, shown === 'open' ? close : null)
  useArrivals(used.state.arrivals)

  const unread = used.state.unread ?? 0
  return (
    <div ref={whole} data-svc-part="bell">
      <button
        ref={button}
        type="button"
        data-svc-part="bell-button"
        aria-label={text('ui.bell.name', { count: unread })}
        aria-haspopup="dialog"
        aria-expanded={shown === 'open'}
        aria-controls={dialogId}
        onClick={() => (shown === 'open' ? close('back') : open())}
      >
        <Icon />
        {unread > 0 && (
          <span aria-hidden="true" data-svc-part="bell-badge">
            {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
          </span>
        )}
      </button>
      {shown === 'open' && (
        <BellShell
          {...used}
          id={dialogId}
          titleId={titleId}
          dialog={dialog}
          part={part}
          onRetry={() => void fetchPart()}
          close={close}
        />
      )}
    </div>
  )
}

/** Loads the dialog's file when the bell is pressed for the first time. */
async function loadDialog() {
  return (await import('./bell-dialog.tsx')).BellDialog
}

function Icon() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5M10 19.5a2.2 2.2 0 0 0 4 0" />
    </svg>
  )
}
