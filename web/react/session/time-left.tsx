import { useEffect, useRef } from 'react'
import { untranslated } from '../parts/untranslated.ts'
import { useAnnounce, useText } from './provider.tsx'
import { useCountdown, type Wait } from '../parts/use-countdown.ts'

const MINUTE = 60
const LAST_SECONDS = 20

/** Renders the remaining time on the screen, and announces it when it becomes short. */
export function TimeLeft({ wait }: { readonly wait: Wait }) {
  const text = useText()
  const announce = useAnnounce()
  const seconds = useCountdown(wait)
  const before = useRef(seconds)
  useEffect(() => {
    const passed = (mark: number) => before.current > mark && seconds <= mark
    if (passed(LAST_SECONDS)) announce(text('ui.code.seconds_left', { count: LAST_SECONDS }))
    else if (passed(MINUTE)) announce(text('ui.code.minute_left'))
    before.current = seconds
  }, [seconds, announce, text])
  const label = text('ui.code.time_left')
  return (
    <p data-svc-part="time-left">
      <span aria-hidden="true">{label}</span>{' '}
      <span ref={untranslated} role="timer" aria-label={label} aria-live="off" dir="ltr">
        {clockOf(seconds)}
      </span>
    </p>
  )
}

function clockOf(seconds: number): string {
  const rest = String(seconds % MINUTE).padStart(2, '0')
  return `${Math.floor(seconds / MINUTE)}:${rest}`
}
