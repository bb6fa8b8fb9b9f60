import { useLayoutEffect, useRef, type ComponentType, type MouseEvent, type RefObject } from 'react'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { dropRepeatedClick } from '../parts/repeated-click.ts'
import { useIsNarrow } from '../parts/use-is-narrow.ts'
import { PartFailed } from '../session/part-failed.tsx'
import { useText } from '../session/provider.tsx'
import { BrokenPart } from '../session/broken-part.tsx'
import type { PartState } from '../session/use-part.ts'
import type { BellDialogProps } from './bell-dialog.tsx'
import { BellLoading } from './bell-loading.tsx'
import type { BellController } from './use-bell.ts'
import type { FocusAfter } from './use-dismiss.ts'
import { usePlacement } from './use-placement.ts'

/** Content of the dialog, loaded from a file of its own. */
type BellPart = PartState<ComponentType<BellDialogProps>>

export interface BellShellProps extends BellController {
  readonly id: string
  readonly titleId: string
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly part: BellPart
  readonly onRetry: () => void
  readonly close: (focus: FocusAfter) => void
}

/**
 * Renders the dialog and its name before its content has loaded. It is modal on a narrow screen:
 * the browser keeps the focus inside.
 */
export function BellShell(props: BellShellProps) {
  const layout = useIsNarrow() ? 'sheet' : 'popover'
  // An open dialog cannot change between modal and not modal.
  return <Shell key={layout} {...props} layout={layout} />
}

interface ShellProps extends BellShellProps {
  readonly layout: 'popover' | 'sheet'
}

function Shell({ id, titleId, dialog, part, onRetry, close, layout, ...controller }: ShellProps) {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const failures = part.state === 'loaded' ? part.failures : 0
  useLayoutEffect(() => {
    if (layout !== 'sheet') return
    dialog.current?.showModal()
    // Firefox has moved the focus on to the first button.
    heading.current?.focus()
  }, [dialog, layout])
  usePlacement(dialog, layout)
  return (
    <dialog
      ref={dialog}
      id={id}
      open={layout === 'popover' || undefined}
      aria-labelledby={titleId}
      data-svc-part="bell-dialog"
      data-layout={layout}
      onCancel={(event) => {
        event.preventDefault()
        close('back')
      }}
      onClickCapture={dropRepeatedClick}
      // Not on the press: after it, the click would open the sheet again by the bell below.
      onClick={(event) => {
        if (isOnBackdrop(event)) close('back')
      }}
    >
      <div data-svc-part="bell-head">
        {/* The key focuses the heading again after a retry, because the pressed button is gone. */}
        <BellHeading key={failures} id={titleId} heading={heading} />
      </div>
      {layout === 'sheet' && (
        <button
          type="button"
          data-svc-part="bell-close"
          aria-label={text('ui.bell.close')}
          onClick={() => close('back')}
        />
      )}
      <BellContent part={part} onRetry={onRetry} close={close} heading={heading} {...controller} />
    </dialog>
  )
}

interface BellHeadingProps {
  readonly id: string
  readonly heading: RefObject<HTMLHeadingElement | null>
}

function BellHeading({ id, heading }: BellHeadingProps) {
  const text = useText()
  useLayoutEffect(() => heading.current?.focus(), [heading])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} data-svc-part="bell-heading">
      {text('ui.bell.title')}
    </h2>
  )
}

type BellContentProps = Pick<BellShellProps, 'part' | 'onRetry'> & BellDialogProps

function BellContent({ part, onRetry, ...content }: BellContentProps) {
  switch (part.state) {
    case 'loading':
      return <BellLoading />
    case 'failed':
      return (
        <div data-svc-part="bell-foot">
          <PartFailed part={part} message="ui.bell.error" onRetry={onRetry} />
        </div>
      )
    case 'loaded':
      return (
        <ErrorBoundary fallback={<BellBroken />} resetOn="">
          <part.content {...content} />
        </ErrorBoundary>
      )
  }
}

function BellBroken() {
  return (
    <div data-svc-part="bell-foot">
      <BrokenPart />
    </div>
  )
}

/**
 * Returns `true` for a click beside a modal dialog: browsers report it as a click on the dialog.
 */
function isOnBackdrop({ target, currentTarget, clientX, clientY }: MouseEvent): boolean {
  if (target !== currentTarget) return false
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
