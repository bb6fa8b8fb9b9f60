import { useEffect, useRef } from 'react'
import { useAnnounce, useText } from '../provider.tsx'

/** So long nothing is said after something was. */
const SILENCE_MS = 30_000
/** A region speaks what changes: it is emptied before it says the same again. */
const BREATH_MS = 100

/** Says how many notifications have come in, and not more often than every 30 seconds. */
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
