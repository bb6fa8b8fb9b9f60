import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'

export interface DialogProps {
  readonly title: string
  readonly body: ReactNode
  /** Called when Escape is pressed; the caller removes the dialog. */
  readonly onCancel: () => void
  /** Its buttons; the first takes the focus. */
  readonly children: ReactNode
}

/** Renders a modal question. The browser keeps the focus inside, and returns it afterwards. */
export function Dialog({ title, body, onCancel, children }: DialogProps) {
  const titleId = useId()
  const bodyId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={bodyId}
      data-svc-part="dialog"
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <h2 id={titleId} data-svc-part="dialog-title">
        {title}
      </h2>
      <p id={bodyId} data-svc-part="dialog-body">
        {body}
      </p>
      <div data-svc-part="dialog-actions">{children}</div>
    </dialog>
  )
}
