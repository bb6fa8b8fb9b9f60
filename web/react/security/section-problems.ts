import { createContext, useContext, useEffect } from 'react'

/** Changes the number of sections that show an error. Keeps its identity between renders. */
type ChangeCount = (change: 1 | -1) => void

/** Provides the count to the sections. */
export const SectionProblems = createContext<ChangeCount>(() => {})

/** Counts a section while it shows an error, so that the title of the page can say so. */
export function useSectionProblem(isShown: boolean): void {
  const count = useContext(SectionProblems)
  useEffect(() => {
    if (!isShown) return undefined
    count(1)
    return () => count(-1)
  }, [isShown, count])
}
