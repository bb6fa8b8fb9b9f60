import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { hasUnsavedInput } from '../parts/unsaved-input.ts'
import type { Text } from '../texts/texts.ts'
import { useText } from './provider.tsx'

interface ReloadButtonProps {
  /** Its `data-svc-part`. Default: `reload`. */
  readonly part?: string
  /** Default: its text in the panel's language. */
  readonly children?: ReactNode
}

/** Renders the button that reloads the page. */
export function ReloadButton({ part = 'reload', children }: ReloadButtonProps) {
  const text = useText()
  const reload = () => {
    if (mayLoseInput(text)) location.reload()
  }
  return (
    <Button part={part} onPress={reload}>
      {children ?? text('ui.reload')}
    </Button>
  )
}

/** Asks before a reload loses input. @returns `true` if none is lost, or the user agrees. */
export function mayLoseInput(text: Text): boolean {
  return !hasUnsavedInput() || confirm(text('ui.outdated.unsaved'))
}
