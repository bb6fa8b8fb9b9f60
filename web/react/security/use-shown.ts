import { useLayoutEffect } from 'react'
import type { Problem } from '../session/use-problem.ts'

/** The subject that `SecurityPage` shows, for the heading and the title of the page. */
export interface ShownSecurity {
  /** In the language of the panel. */
  readonly title: string
  readonly problem: Problem
  /** Question to ask before the user leaves, in the panel's language; `null` for none. */
  readonly question: string | null
}

/** Calls back with the subject of the page when it changes. */
export function useShown(
  { title, problem, question }: ShownSecurity,
  onShown: ((shown: ShownSecurity) => void) | undefined,
): void {
  // Before the paint, because the heading names the content below it.
  useLayoutEffect(
    () => onShown?.({ title, problem, question }),
    [onShown, title, problem, question],
  )
}
