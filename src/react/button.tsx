import type { ReactNode } from 'react'

export interface ButtonProps {
  readonly type?: 'button' | 'submit'
  /** Its `data-svc-part`. */
  readonly part: string
  /** Id of what says why the button does nothing now; `null`: it does something. */
  readonly waitsFor?: string | null
  readonly busy?: boolean
  readonly onPress?: () => void
  readonly children: ReactNode
}

/**
 * A button that can wait: it stays where it is, can be reached, says why, and does nothing. What it submits is
 * kept back by its form, which knows sooner than what is drawn.
 */
export function Button({ type = 'button', part, waitsFor = null, ...props }: ButtonProps) {
  const waits = waitsFor !== null
  return (
    // oxlint-disable-next-line react/button-has-type -- the prop's type allows only `button` and `submit`
    <button
      type={type}
      data-svc-part={part}
      aria-busy={props.busy || undefined}
      aria-disabled={waits || undefined}
      aria-describedby={waitsFor ?? undefined}
      onClick={waits ? undefined : props.onPress}
    >
      {props.children}
    </button>
  )
}
