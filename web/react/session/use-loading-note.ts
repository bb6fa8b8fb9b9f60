import { useEffect } from 'react'
import { useAnnounce, useWithdraw } from './provider.tsx'

/** Content that loads sooner needs no announcement. */
const QUIET_MS = 300

/** Announces that something is loading, unless it loads quickly. */
export function useLoadingNote(message: string): void {
  const announce = useAnnounce()
  const withdraw = useWithdraw()
  useEffect(() => {
    const timer = setTimeout(() => announce(message), QUIET_MS)
    return () => {
      clearTimeout(timer)
      // A later announcement stays.
      withdraw(message)
    }
  }, [announce, withdraw, message])
}
