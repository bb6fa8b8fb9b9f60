import { useEffect, useRef } from 'react'
import { useAnnounce, useText } from '../provider.tsx'

/** Minimum pause between two announcements. */
const SILENCE_MS = 30_000
/** Screen readers announce changes: the region is emptied before it repeats a message. */
const BREATH_MS = 100

/** Announces the number of arrived notifications, at most every 30 seconds. */
export function useArrivals(arrivals: number): void {
  const announce = useAnnounce()
  const text = useText()
  const said = useRef({ arrivals, at: -SILENCE_MS })
  useEffect(() => {
    const before = said.current
    const count = arrivals - before.arrivals
    if (count <= 0) return
    const due = before.at + SILENCE_MS - performance.now()
    announce('')
    const timer = setTimeout(
      () => {
        said.current = { arrivals, at: performance.now() }
        announce(text('ui.bell.new', { count }))
      },
      Math.max(BREATH_MS, due),
    )
    return () => clearTimeout(timer)
  }, [arrivals, announce, text])
}
