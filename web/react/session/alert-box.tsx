import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useLanguageAttributes, useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'
import { useElementId } from '../parts/element-id.ts'

/** Content of the box. `problem` is an error, `note` is not. */
export type AlertContent =
  | { readonly tone: 'note'; readonly message: ReactNode }
  | {
      readonly tone: 'problem'
      readonly message: ReactNode
      /** Replaces the message on the screen and may change: screen readers do not announce it. */
      readonly countdown?: string
    }

export interface AlertBoxProps {
  readonly content: AlertContent | null
  /** Id for the `aria-describedby` of controls that wait. */
  readonly id?: string
  /** A new value moves the focus to the box; `null` leaves the focus alone. */
  readonly focusOn?: unknown
  /** The ways on: one button, or a second one beside it. Default: none. */
  readonly children?: ReactNode
}

/**
 * Renders the screen's `role="alert"` region. It is rendered while empty, because screen readers
 * only announce changes of an existing region.
 */
export function AlertBox({ content, id, focusOn = null, children }: AlertBoxProps) {
  const text = useText()
  const headingId = useElementId()
  const alert = useFocus(focusOn)
  const hasActions = children !== undefined && children !== false
  const isProblem = content?.tone === 'problem'
  const countdown = content?.tone === 'problem' ? content.countdown : undefined
  return (
    <div {...useLanguageAttributes()} data-svc-part="alert-box" data-tone={content?.tone}>
      <div
        ref={alert}
        role="alert"
        tabIndex={-1}
        data-svc-part="alert"
        aria-labelledby={isProblem ? headingId : undefined}
      >
        {isProblem && (
          <h2 id={headingId} data-svc-part="alert-heading">
            {text('ui.error.heading')}
          </h2>
        )}
        {content && (
          <div
            // Preact would write new words into a text node that a translation has replaced.
            key={typeof content.message === 'string' ? content.message : content.tone}
            id={countdown === undefined ? id : undefined}
            data-svc-part={countdown === undefined ? 'alert-message' : 'alert-spoken'}
          >
            {content.message}
          </div>
        )}
      </div>
      {countdown !== undefined && (
        <p id={id} aria-hidden="true" data-svc-part="countdown">
          {countdown}
        </p>
      )}
      {content !== null && hasActions && <div data-svc-part="actions">{children}</div>}
      {/* A refusal reaches the box as text; this one asks for a reload. */}
      {content?.message === text('svc::auth.csrf_mismatch') && (
        <div data-svc-part="actions">
          <ReloadButton />
        </div>
      )}
    </div>
  )
}

/** Returns the box's content for an error message; `null` for none. */
export function problemContent(message: string | null): AlertContent | null {
  return message === null ? null : { tone: 'problem', message }
}

function useFocus(focusOn: unknown): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (focusOn !== null) element.current?.focus()
  }, [focusOn])
  return element
}
