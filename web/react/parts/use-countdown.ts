import { useEffect, useState } from 'react'
import { monotonicNow } from '../../client/monotonic-clock.ts'

/** A period of waiting. */
export interface Wait {
  /** Length at its start. */
  readonly seconds: number
  /** End, in milliseconds of `monotonicNow()`. */
  readonly endsAt: number
}

/** Starts a wait. */
export function startWait(seconds: number): Wait {
  return { seconds, endsAt: monotonicNow() + seconds * 1000 }
}

/**
 * Counts whole seconds down.
 *
 * @returns The seconds that are left; 0 after the end or without a wait.
 */
export function useCountdown(wait: Wait | null): number {
  const endsAt = wait?.endsAt ?? null
  const [now, setNow] = useState(() => monotonicNow())
  useEffect(() => {
    if (endsAt === null) return
    const timer = setInterval(() => setNow(monotonicNow()), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  if (wait === null) return 0
  // Before the first tick the stored time is stale.
  return Math.min(wait.seconds, Math.max(0, Math.ceil((wait.endsAt - now) / 1000)))
}

/**
 * Counts down, and calls back once at the end.
 *
 * @param onOver Must keep its identity between renders.
 */
export function useWait(wait: Wait | null, onOver: () => void): number {
  const seconds = useCountdown(wait)
  const isOver = wait !== null && seconds === 0
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, onOver])
  return seconds
}
