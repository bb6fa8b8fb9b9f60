import { useEffect, useState } from 'react'
import { monotonicNow } from '../client/client.ts'

/** A stretch of time that is waited for. */
export interface Wait {
  /** How long it was at its start. */
  readonly seconds: number
  /** Milliseconds of `monotonicNow()`. */
  readonly endsAt: number
}

/** Starts a wait. */
export function waitOf(seconds: number): Wait {
  return { seconds, endsAt: monotonicNow() + seconds * 1000 }
}

/** Counts whole seconds down. @returns those that are left, 0 when it is over or nothing is waited for. */
export function useCountdown(wait: Wait | null): number {
  const endsAt = wait?.endsAt ?? null
  const [now, setNow] = useState(() => monotonicNow())
  useEffect(() => {
    if (endsAt === null) return
    const timer = setInterval(() => setNow(monotonicNow()), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  if (wait === null) return 0
  // Before the first tick the time is behind.
  return Math.min(wait.seconds, Math.max(0, Math.ceil((wait.endsAt - now) / 1000)))
}

/** Counts down and tells once when it is over. @param onOver Has to stay the same from one drawing to the next. */
export function useWait(wait: Wait | null, onOver: () => void): number {
  const seconds = useCountdown(wait)
  const isOver = wait !== null && seconds === 0
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, onOver])
  return seconds
}
