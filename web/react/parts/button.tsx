import type { ReactNode } from 'react'

export interface ButtonProps {
  readonly type?: 'button' | 'submit'
  /** Its `data-svc-part`. */
  readonly part: string
  /** Id of the text that says why the button is unavailable; `null` if it is available. */
  readonly waitsFor?: string | null
  readonly busy?: boolean
  /** Its accessible name, which begins with its text. Default: its text. */
  readonly label?: string
  readonly onPress?: () => void
  readonly children: ReactNode
}

/**
 * Renders a button that can be unavailable: it keeps its place and focus, is described by the
 * reason, and does nothing. Its form blocks the submission itself, because it knows earlier than
 * the rendered button.
 */
export function Button({ type = 'button', part, waitsFor = null, ...props }: ButtonProps) {
  const waits = waitsFor !== null
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      data-svc-part={part}
      aria-label={props.label}
      aria-busy={props.busy || undefined}
      aria-disabled={waits || undefined}
      aria-describedby={waitsFor ?? undefined}
      onClick={waits ? undefined : props.onPress}
    >
      {props.children}
    </button>
  )
}
