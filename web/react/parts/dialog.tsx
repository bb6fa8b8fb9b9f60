import type { ReactNode } from 'react'
import { Modal, type ModalProps } from './modal.tsx'

export interface DialogProps extends Omit<ModalProps, 'role'> {
  /** Its buttons; the first takes the focus. */
  readonly children: ReactNode
}

/** Renders a modal question. */
export function Dialog({ children, ...modal }: DialogProps) {
  return (
    <Modal {...modal} role="alertdialog">
      <div data-svc-part="dialog-actions">{children}</div>
    </Modal>
  )
}
