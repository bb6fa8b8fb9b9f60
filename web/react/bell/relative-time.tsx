import { useEffect, useState } from 'react'
import { useLocale } from '../session/provider.tsx'
import { useTime } from '../session/formatted-time.tsx'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/**
 * Renders an instant as relative time, with its date as title.
 *
 * @param now Milliseconds since 1970.
 */
export function RelativeTime({ at, now }: { readonly at: string; readonly now: number }) {
  const locale = useLocale()
  const date = useTime(at)
  const age = (now - Date.parse(at)) / 1000
  return (
    <time dateTime={at} title={useTime(at, 'full')} data-svc-part="bell-time">
      {/* The clock of the device is wrong by hours, and so would be the age. */}
      {age < -HOUR ? date : formatAge(locale, age)}
    </time>
  )
}

/** Returns the time, updated every minute. @returns Milliseconds since 1970. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE * 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * Formats an age.
 *
 * @param age Seconds; a negative age, from a slow clock, counts as now.
 */
function formatAge(locale: string, age: number): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, seconds] of UNITS) {
    if (age >= seconds) return format.format(-Math.floor(age / seconds), unit)
  }
  return format.format(0, 'second')
}
