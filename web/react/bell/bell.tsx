import { useCallback, useRef, useState, type MouseEvent, type Ref } from 'react'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { PanelGuard } from '../session/guard.tsx'
import { Icon } from '../parts/icon.tsx'
import { isRepeatedClick } from '../parts/repeated-click.ts'
import { untranslated } from '../parts/untranslated.ts'
import { useLanguageAttributes, useText } from '../session/provider.tsx'
import { usePart } from '../session/use-part.ts'
import { BellShell } from './bell-shell.tsx'
import { useAnnounceArrivals } from './use-announce-arrivals.ts'
import { useBell, type UseBellOptions } from './use-bell.ts'
import { useDismiss, type FocusAfter } from './use-dismiss.ts'
import { useElementId } from '../parts/element-id.ts'

/** The properties of `Bell`. */
export type BellProps = UseBellOptions

const MOST_SHOWN = 99
const BELL = 'M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5M10 19.5a2.2 2.2 0 0 0 4 0'

/**
 * Renders a button with the count of unread notifications, which opens their list. Renders nothing
 * without a session.
 *
 * @example
 * ```tsx
 * const Header = () => (
 *   <PanelAuthProvider session={session}>
 *     <Bell />
 *   </PanelAuthProvider>
 * )
 * ```
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
  const controller = useBell(props)
  const dialogId = useElementId()
  const titleId = useElementId()
  const [part, loadPart] = usePart(loadDialog)
  const { container, button, dialog, isOpen, open, close } = useDisclosure()
  useAnnounceArrivals(controller.state.arrivals)

  function onPress(event: MouseEvent) {
    if (isRepeatedClick(event)) return
    if (isOpen) {
      close('back')
      return
    }
    open()
    if (part.state !== 'loaded') void loadPart()
  }
  return (
    <div {...useLanguageAttributes()} ref={container} data-svc-part="bell">
      <BellButton
        button={button}
        unread={controller.state.unread ?? 0}
        isOpen={isOpen}
        dialogId={dialogId}
        onPress={onPress}
      />
      {isOpen && (
        <BellShell
          {...controller}
          id={dialogId}
          titleId={titleId}
          dialog={dialog}
          part={part}
          onRetry={() => void loadPart()}
          close={close}
        />
      )}
    </div>
  )
}

/** Opens and closes the dialog, and returns the focus to its button. */
function useDisclosure() {
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const close = useCallback((focus: FocusAfter) => {
    // While the dialog is modal, nothing else can take the focus.
    if (dialog.current?.matches(':modal') === true) dialog.current.close()
    if (focus === 'back') button.current?.focus()
    setIsOpen(false)
  }, [])
  useDismiss(container, isOpen ? close : null)
  return { container, button, dialog, isOpen, open, close }
}

interface BellButtonProps {
  readonly button: Ref<HTMLButtonElement>
  readonly unread: number
  readonly isOpen: boolean
  readonly dialogId: string
  readonly onPress: (event: MouseEvent) => void
}

function BellButton({ button, unread, isOpen, dialogId, onPress }: BellButtonProps) {
  const text = useText()
  return (
    <button
      ref={button}
      type="button"
      data-svc-part="bell-button"
      aria-label={text('ui.bell.name', { count: unread })}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={dialogId}
      onClick={onPress}
    >
      <Icon path={BELL} size={24} />
      {unread > 0 && (
        <span ref={untranslated} aria-hidden="true" data-svc-part="bell-badge">
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </button>
  )
}

/** Loads the dialog's file when the bell is pressed for the first time. */
async function loadDialog() {
  return (await import('./bell-dialog.tsx')).BellDialog
}
