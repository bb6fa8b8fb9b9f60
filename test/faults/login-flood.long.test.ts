import { expect, it } from 'vitest'
import { attempt, UNRATIONED, visitor } from '../support/logins.ts'
import { startService } from '../support/service.ts'
import { FAILED, THROTTLED, UNAVAILABLE } from '../support/verdicts.ts'

const LOGINS = 320
/** More than any machine computes for all of them before the deadline. */
const REAL_HASHES = { memory_kib: 19_456, passes: 4, concurrency: 1 } as const
const ONE_FAILURE = { max: 1, window_seconds: 3600 } as const

it('320 logins at once are answered, and only those whose password was checked are counted', async () => {
  const service = await startService({
    config: {
      passwords: REAL_HASHES,
      limits: { ...UNRATIONED, 'login.failed': ONE_FAILURE },
    },
  })
  const guests = await Promise.all(Array.from({ length: LOGINS }, async () => visitor(service)))
  const emailOf = (index: number) => `guest-${index}@x.test`
  const verdicts = await Promise.all(
    guests.map(async (guest, index) => attempt(guest, emailOf(index))),
  )
  expect([...new Set(verdicts)].toSorted()).toEqual([FAILED, UNAVAILABLE].toSorted())

  // Few enough at a time that each is checked.
  for (const [index, guest] of guests.entries()) {
    const again = await attempt(guest, emailOf(index))
    expect([index, again]).toEqual([index, verdicts[index] === FAILED ? THROTTLED : FAILED])
  }
}, 180_000)
