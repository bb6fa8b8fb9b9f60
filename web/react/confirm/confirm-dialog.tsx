import { useState } from 'react'
import type { AcceptedProofs } from '../../client/client.ts'
import { Modal } from '../parts/modal.tsx'
import { useLanguageAttributes, useText } from '../session/provider.tsx'
import { AccountTexts } from '../session/account-texts-loaded.tsx'
import { ProofForm, type ProofKind } from './proof-form.tsx'

export interface ConfirmDialogProps extends AcceptedProofs {
  /** `true`: the service has confirmed the session; `false`: the user has cancelled. */
  readonly onEnd: (isConfirmed: boolean) => void
}

/** Renders the dialog that asks for the password, or for a code if one is accepted. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <AccountTexts>
      <Question {...props} />
    </AccountTexts>
  )
}

function Question({ code, onEnd }: ConfirmDialogProps) {
  const text = useText()
  const [kind, setKind] = useState<ProofKind>('password')
  const other = kind === 'password' ? 'code' : 'password'
  return (
    // Outside of the panel, the dialog needs the font and the colours of the style sheet.
    <div {...useLanguageAttributes()} data-svc-root="" data-svc-part="confirm">
      <Modal
        role="dialog"
        title={text('ui.confirm.title')}
        body={text(`ui.confirm.${kind}`)}
        onCancel={() => onEnd(false)}
      >
        <ProofForm
          key={kind}
          kind={kind}
          onEnd={onEnd}
          onOther={code ? () => setKind(other) : null}
        />
      </Modal>
    </div>
  )
}
