import { useEffect, useState, type RefObject } from 'react'
import { Button } from '../parts/button.tsx'
import { useAnnounce, useText } from '../session/provider.tsx'

export interface CopyButtonProps {
  readonly label: string
  /** Text for the clipboard. */
  readonly value: string
  /**
   * Element that shows the value: its text is selected if the browser has no clipboard for the
   * page.
   */
  readonly valueElement: RefObject<HTMLElement | null>
  readonly onFailed: () => void
}

/** Renders the button that copies a text, and confirms it on the screen and to screen readers. */
export function CopyButton({ label, value, valueElement, onFailed }: CopyButtonProps) {
  const text = useText()
  const announce = useAnnounce()
  const [copied, setCopied] = useState<'copied' | null>(null)
  // The announcement belongs to this button; clear it with the button.
  useEffect(() => () => announce(''), [announce])

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // The page has no permission, or is not a secure context and has no clipboard.
      if (valueElement.current !== null) getSelection()?.selectAllChildren(valueElement.current)
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
