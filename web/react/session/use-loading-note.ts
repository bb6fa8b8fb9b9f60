import { useLayoutEffect } from 'react'
import { useAnnounce, useWithdraw } from './provider.tsx'

/** Content that loads sooner needs no announcement. */
const QUIET_MS = 300

/** The announced loading that is removed in this render, in which another one may replace it. */
let replaced: string | null = null

/**
 * Announces that something is loading, unless it loads quickly. A part whose file has loaded, and
 * whose data load next, is announced once.
 */
export function useLoadingNote(message: string): void {
  const announce = useAnnounce()
  const withdraw = useWithdraw()
  useLayoutEffect(() => {
    let isAnnounced = replaced === message
    const timer = setTimeout(() => {
      if (!isAnnounced) announce(message)
      isAnnounced = true
    }, QUIET_MS)
    return () => {
      clearTimeout(timer)
      // A later announcement stays.
      withdraw(message)
      if (!isAnnounced) return
      replaced = message
      queueMicrotask(() => (replaced = null))
    }
  }, [announce, withdraw, message])
}
