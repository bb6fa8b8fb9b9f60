import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { Button } from '../button.tsx'
import { useAnnounce, useText } from '../provider.tsx'

export interface CopyButtonProps {
  readonly label: string
  /** What is put on the clipboard. */
  readonly value: string
  /** Shows the value: selected when the browser has no clipboard for us. */
  readonly shown: RefObject<HTMLElement | null>
  readonly onFailed: () => void
}

/** Copies a text and says so, to the eye and to the ear. */
export function CopyButton({ label, value, shown, onFailed }: CopyButtonProps) {
  const text = useText()
  const announce = useAnnounce()
  const [copied, setCopied] = useState<'copied' | null>(null)
  // What was said of this is not said of what comes next.
  useEffect(() => () => announce(''), [announce])

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // No permission, or no clipboard at all: the page may have no secure context.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
      onFailed()
      return
    }
    setCopied('copied')
    announce(text('ui.tf.copied'))
  }
  return (
    <>
      <Button part="secondary" onPress={() => void copy()}>
        {label}
      </Button>
      {copied !== null && (
        <span aria-hidden="true" data-svc-part="copied">
          {text('ui.tf.copied')}
        </span>
      )}
    </>
  )
}
