import { monotonicNow } from '../../client/monotonic-clock.ts'
import type { WaitKey } from '../texts/refusal-text.ts'
import type { Wait } from '../parts/use-countdown.ts'

/** Time for which the service refuses logins, and the reason. */
export interface LoginWait extends Wait {
  readonly key: WaitKey
}

/** Creates the waits of a form: wrong passwords block one email, too many requests block all. */
export function createLoginWaits() {
  const byEmail = new Map<string, LoginWait>()
  let ofAll: LoginWait | null = null
  return {
    add(email: string, wait: LoginWait) {
      if (wait.key === 'svc::auth.too_many_requests') ofAll = wait
      else byEmail.set(canonical(email), wait)
    },
    /** Returns the rest of an email's wait; `null` if it may log in. */
    find: (email: string) => remaining(ofAll) ?? remaining(byEmail.get(canonical(email)) ?? null),
  }
}

function remaining(wait: LoginWait | null): LoginWait | null {
  if (wait === null) return null
  const { key, endsAt } = wait
  const seconds = Math.ceil((endsAt - monotonicNow()) / 1000)
  return seconds > 0 ? { key, endsAt, seconds: Math.min(wait.seconds, seconds) } : null
}

/** Normalises an email as the service does, except for international domains. */
function canonical(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
