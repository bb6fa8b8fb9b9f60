import { useEffect } from 'react'

/** Whether an error is shown, so that the title of the page can say so. */
export type Problem = 'shown' | 'none'

/** Tells when an error appears or goes. */
export function useProblem(
  problem: Problem,
  onProblem: ((problem: Problem) => void) | undefined,
): void {
  useEffect(() => onProblem?.(problem), [onProblem, problem])
}
