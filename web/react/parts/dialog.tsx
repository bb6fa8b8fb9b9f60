import type { MouseEvent, ReactNode } from 'react'
import { Modal, type ModalProps } from './modal.tsx'
import { isRepeatedClick } from './repeated-click.ts'

export interface DialogProps extends Omit<ModalProps, 'role'> {
  /** Its buttons; the first takes the focus. */
  readonly children: ReactNode
}

/** Renders a modal question. */
export function Dialog({ children, ...modal }: DialogProps) {
  return (
    <Modal {...modal} role="alertdialog">
      <div data-svc-part="dialog-actions" onClickCapture={keepDoubleClick}>
        {children}
      </div>
    </Modal>
  )
}

/** Drops the second click of a double click on what opened the question. */
function keepDoubleClick(event: MouseEvent): void {
  if (isRepeatedClick(event)) event.stopPropagation()
}
