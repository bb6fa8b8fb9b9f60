import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { stopHashing } from '../support/hashing.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { startService, type TestService } from '../support/service.ts'
import { times, UNAVAILABLE } from '../support/verdicts.ts'

const config = { passwords: { memory_kib: 64, passes: 1, concurrency: 1, queue: 5 } }

const guestsOf = async (service: TestService, count: number): Promise<readonly Browser[]> =>
  Promise.all(
    times(count, '').map(async (_, host) => visitor(service, { address: `127.9.1.${host + 1}` })),
  )

describe('While one wide network fills the hashing queue', () => {
  it.each(['a known browser', 'another network'])('%s logs in', async (who) => {
    const service = await startService({ config })
    const owner =
      who === 'a known browser'
        ? await loggedIn(service)
        : await visitor(service, { address: '127.0.7.1' })
    await loggedIn(service)
    const guests = await guestsOf(service, 12)
    const resume = stopHashing()
    const flood = guests.map(async (guest) => attempt(guest, 'nobody@x.test'))
    // Those that find the queue full are refused at once.
    expect(await Promise.race(flood)).toBe(UNAVAILABLE)
    const login = attempt(owner, 'u1@x.test', PASSWORD)
    await Promise.race([login, new Promise((wait) => setTimeout(wait, 200))])
    resume()
    expect(await login).toBe('ok')
    await Promise.all(flood)
  })
})
