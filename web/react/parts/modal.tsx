import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { dropRepeatedClick } from './repeated-click.ts'
import { useElementId } from './element-id.ts'

export interface ModalProps {
  /** `alertdialog`: a question that interrupts the user. */
  readonly role: 'dialog' | 'alertdialog'
  readonly title: string
  /** The question or the reason, below the title. */
  readonly body: ReactNode
  /** Called when Escape is pressed; the caller removes the dialog. */
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** Renders a modal dialog. The browser keeps the focus inside, and returns it afterwards. */
export function Modal({ role, title, body, onCancel, children }: ModalProps) {
  const titleId = useElementId()
  const bodyId = useElementId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={bodyId}
      data-svc-part="dialog"
      onClickCapture={dropRepeatedClick}
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
      {children}
    </dialog>
  )
}
