import { useRef } from 'react'
import { useText } from '../session/provider.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { CopyButton } from './copy-button.tsx'

export interface SetUpKeyProps {
  readonly secret: string
  readonly onCopyFailed: () => void
}

/** Renders the key of the set-up in groups of four, for typing it. */
export function SetUpKey({ secret, onCopyFailed }: SetUpKeyProps) {
  const text = useText()
  const valueElement = useRef<HTMLElement>(null)
  return (
    <div data-svc-part="set-up-key">
      <span ref={untranslated} dir="ltr">
        <code ref={valueElement}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </span>
      <CopyButton
        label={text('ui.tf.copy_key')}
        value={secret}
        valueElement={valueElement}
        onFailed={onCopyFailed}
      />
    </div>
  )
}
