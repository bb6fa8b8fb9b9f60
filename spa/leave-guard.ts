import { createContext, useContext, useEffect } from 'react'
import type { Router } from './history-router.ts'

/** Gives the router to the screens. */
export const RouterContext = createContext<Router | null>(null)

/** Asks before the browser's own buttons lead away from a screen. @param question `null`: nothing is asked. */
export function useLeaveGuard(question: string | null): void {
  const router = useContext(RouterContext)
  useEffect(
    () => (question === null ? undefined : router?.guard(() => confirm(question))),
    [router, question],
  )
}
