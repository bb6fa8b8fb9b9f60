import { createContext, useContext, useEffect } from 'react'
import type { Router } from './history-router.ts'

/** Provides the router to the screens. */
export const RouterContext = createContext<Router | null>(null)

/**
 * Asks before the browser's back and forward buttons leave a screen.
 *
 * @param question `null` asks nothing.
 */
export function useLeaveGuard(question: string | null): void {
  const router = useContext(RouterContext)
  useEffect(
    () => (question === null ? undefined : router?.guard(() => confirm(question))),
    [router, question],
  )
}
