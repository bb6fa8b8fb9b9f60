import { useEffect } from 'react'
import type { Router } from './history-router.ts'

/**
 * Asks before the browser's back and forward buttons leave a screen.
 *
 * @param question `null` asks nothing.
 */
export function useLeaveGuard(router: Router, question: string | null): void {
  useEffect(
    () => (question === null ? undefined : router.guard(() => confirm(question))),
    [router, question],
  )
}
