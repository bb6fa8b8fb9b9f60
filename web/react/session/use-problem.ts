import { useEffect } from 'react'

/** `shown` while an error is on the screen, so that the title of the page can say so. */
export type Problem = 'shown' | 'none'

/** Calls back when an error appears or goes. */
export function useProblem(
  problem: Problem,
  onProblem: ((problem: Problem) => void) | undefined,
): void {
  useEffect(() => onProblem?.(problem), [onProblem, problem])
}
