import { useState } from 'react'
import { Button, type ButtonProps } from '../parts/button.tsx'
import { Modal } from '../parts/modal.tsx'
import { useText } from '../session/provider.tsx'

export interface AskingButtonProps extends Pick<ButtonProps, 'busy' | 'waitsFor'> {
  /** The texts of the button, and of the question before what it does. */
  readonly texts: 'ui.tf.turn_off' | 'ui.sessions.end_others'
  readonly onConfirm: () => void
}

/** Renders a button that asks before it does what cannot be undone. */
export function AskingButton({ texts, onConfirm, ...button }: AskingButtonProps) {
  const text = useText()
  const [dialog, setDialog] = useState<'open' | null>(null)
  const close = () => setDialog(null)
  function confirm() {
    // The dialog returns the focus before the button renders as busy.
    close()
    onConfirm()
  }
  return (
    <div data-svc-part="actions">
      <Button {...button} part="secondary" onPress={() => setDialog('open')}>
        {text(texts)}
      </Button>
      {dialog !== null && (
        <Modal
          role="alertdialog"
          title={text(`${texts}_title`)}
          body={text(`${texts}_body`)}
          onCancel={close}
        >
          {/* The first button takes the focus. */}
          <div data-svc-part="dialog-actions">
            <Button part="secondary" onPress={close}>
              {text(`${texts}_no`)}
            </Button>
            <Button part="danger" onPress={confirm}>
              {text(`${texts}_yes`)}
            </Button>
          </div>
        </Modal>
      )}
    </div>
  )
}
