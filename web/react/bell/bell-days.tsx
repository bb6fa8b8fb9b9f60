import type { Ref } from 'react'
import type { BellEntry, BellState } from '../../client/client.ts'
import { useLocale } from '../session/provider.tsx'
import { BellRow, type MarkedBy } from './bell-row.tsx'
import { useNow } from './relative-time.tsx'
import { useElementId } from '../parts/element-id.ts'

export interface BellDaysProps extends Pick<BellState, 'entries'> {
  readonly list: Ref<HTMLDivElement>
  readonly isLoading: boolean
  readonly onMark: (id: string, by: MarkedBy) => void
}

/** Renders the notifications by day, in the time zone of the browser. */
export function BellDays({ list, entries, isLoading, onMark }: BellDaysProps) {
  const now = useNow()
  return (
    <div ref={list} aria-busy={isLoading || undefined} data-svc-part="bell-list">
      {daysOf(entries, now).map((day) => (
        <BellDay key={day.startsAt} day={day} now={now} onMark={onMark} />
      ))}
    </div>
  )
}

interface Day {
  /** Local midnight, in milliseconds since 1970. */
  readonly startsAt: number
  readonly entries: readonly BellEntry[]
}

interface BellDayProps extends Pick<BellDaysProps, 'onMark'> {
  readonly day: Day
  readonly now: number
}

function BellDay({ day: { startsAt, entries }, now, onMark }: BellDayProps) {
  const id = useElementId()
  const locale = useLocale()
  return (
    <section data-svc-part="bell-day">
      <h3 id={id} data-svc-part="bell-day-title">
        {formatDay(locale, startsAt, now)}
      </h3>
      <ul role="list" aria-labelledby={id}>
        {entries.map((entry) => (
          <BellRow key={entry.id} entry={entry} now={now} onMark={(by) => onMark(entry.id, by)} />
        ))}
      </ul>
    </section>
  )
}

/** Groups entries, newest first, by their day. A day after today, from a slow clock, is today. */
function daysOf(entries: readonly BellEntry[], now: number): readonly Day[] {
  const today = startOfDay(now)
  const days = new Map<number, BellEntry[]>()
  for (const entry of entries) {
    const startsAt = Math.min(startOfDay(Date.parse(entry.created_at)), today)
    const day = days.get(startsAt)
    if (day === undefined) days.set(startsAt, [entry])
    else day.push(entry)
  }
  return [...days].map(([startsAt, entries]) => ({ startsAt, entries }))
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** Formats a day: today, yesterday, or its date. */
function formatDay(locale: string, startsAt: number, now: number): string {
  const today = startOfDay(now)
  const isToday = startsAt === today
  // The day before may have 23 or 25 hours.
  if (isToday || startsAt === startOfDay(today - 1))
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(isToday ? 0 : -1, 'day')
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(new Date(startsAt).getFullYear() !== new Date(now).getFullYear() && { year: 'numeric' }),
  }).format(startsAt)
}
