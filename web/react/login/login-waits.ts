import { monotonicNow } from '../../client/monotonic-clock.ts'
import type { RefusedWait } from '../session/refusal-text.ts'

/** Creates the waits of a form: wrong passwords block one email, too many requests block all. */
export function createLoginWaits() {
  const byEmail = new Map<string, RefusedWait>()
  let ofAll: RefusedWait | null = null
  return {
    add(email: string, wait: RefusedWait) {
      if (wait.key === 'svc::auth.too_many_requests') ofAll = wait
      else byEmail.set(canonical(email), wait)
    },
    /** Returns the rest of an email's wait; `null` if it may log in. */
    find: (email: string) => remaining(ofAll) ?? remaining(byEmail.get(canonical(email)) ?? null),
  }
}

function remaining(wait: RefusedWait | null): RefusedWait | null {
  if (wait === null) return null
  const { key, endsAt } = wait
  const seconds = Math.ceil((endsAt - monotonicNow()) / 1000)
  return seconds > 0 ? { key, endsAt, seconds: Math.min(wait.seconds, seconds) } : null
}

/** Normalises an email as the service does, except for international domains. */
function canonical(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
