import { useEffect } from 'react'
import { useAnnounce } from './provider.tsx'

/** Content that loads sooner needs no announcement. */
const QUIET_MS = 300

/** Announces that something is loading, unless it loads quickly. */
export function useLoadingNote(message: string): void {
  const announce = useAnnounce()
  useEffect(() => {
    let stop = () => {}
    const timer = setTimeout(() => {
      announce(message)
      stop = () => announce('')
    }, QUIET_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [announce, message])
}
