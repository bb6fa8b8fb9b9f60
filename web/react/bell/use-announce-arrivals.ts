import { useEffect, useRef } from 'react'
import { useAnnounce, useText } from '../session/provider.tsx'

/** Minimum pause between two announcements. */
const PAUSE_MS = 30_000

/** Announces the number of arrived notifications, at most every 30 seconds. */
export function useAnnounceArrivals(arrivals: number): void {
  const announce = useAnnounce()
  const text = useText()
  const announced = useRef({ arrivals, at: -PAUSE_MS })
  useEffect(() => {
    const before = announced.current
    const count = arrivals - before.arrivals
    if (count <= 0) return
    const due = before.at + PAUSE_MS - performance.now()
    const timer = setTimeout(
      () => {
        announced.current = { arrivals, at: performance.now() }
        announce(text('ui.bell.new', { count }))
      },
      Math.max(0, due),
    )
    return () => clearTimeout(timer)
  }, [arrivals, announce, text])
}
