import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import { stopHashing } from '../../support/hashing.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { startService, type TestService } from '../../support/service.ts'
import { times, UNAVAILABLE } from '../../support/verdicts.ts'

const config = { passwords: { memory_kib: 64, passes: 1, concurrency: 1, queue: 5 } }

const BEHIND_A_PROXY = { ...config, trusted_proxies: ['127.0.0.0/8'] } as const
const forwardedFor = (address: string) => ({ 'x-forwarded-for': address })

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
    const login = loginDuring(
      () => guests.map(async (guest) => attempt(guest, 'nobody@x.test')),
      async () => attempt(owner, 'u1@x.test', PASSWORD),
    )
    expect(await login).toBe('ok')
  })
})

/** The logins that `config` takes at once. */
const TAKEN = 6

/** Returns the result of a login that arrives when others have filled the hashing queue. */
async function loginDuring(
  begin: () => readonly Promise<string>[],
  logIn: () => Promise<string>,
): Promise<string> {
  const resume = stopHashing()
  const flood = begin()
  let answered = 0
  const count = () => void (answered += 1)
  for (const login of flood) void login.then(count)
  // Those that find the queue full are refused at once.
  await expect.poll(() => answered).toBe(flood.length - TAKEN)
  const login = logIn()
  void login.then(count)
  // It is refused, or takes the place of another.
  await expect.poll(() => answered).toBe(flood.length - TAKEN + 1)
  resume()
  await Promise.all(flood)
  return login
}

/** Returns the result of a login from an address, while others fill the hashing queue. */
async function loginFrom(owner: string, flooders: readonly string[]): Promise<string> {
  const service = await startService({ config: BEHIND_A_PROXY })
  const proxy = await visitor(service)
  const browser = await visitor(service)
  await attempt(proxy, 'nobody@x.test', 'wrong', forwardedFor('192.0.2.1'))
  return loginDuring(
    () =>
      flooders.map(async (address) =>
        attempt(proxy.copy(), 'nobody@x.test', 'wrong', forwardedFor(address)),
      ),
    async () => attempt(browser, 'u1@x.test', PASSWORD, forwardedFor(owner)),
  )
}

describe('A wide network that fills the hashing queue', () => {
  it.each([
    ['a /48 of IPv6', '2001:db8:7:N::1', '2001:db8:8::1'],
    ['a /48 of IPv6 whose last group is zero', '2001:db8:0:N::1', '2001:db8:1::1'],
    ['a /48 of IPv6 beside one whose last groups are zero', '2001:db8:7:N::1', '2001:db8::1'],
    ['a /48 of IPv6 in capitals with all its zeros', '2001:0DB8:0007:N:0:0:0:1', '2001:db8:8::1'],
    ['a /24 of IPv4', '203.0.113.N', '203.0.114.1'],
    ['a /24 of IPv4, written as IPv6', '::ffff:203.0.113.N', '::ffff:203.0.114.1'],
  ])('leaves its neighbour a login: %s', async (_what, flooder, owner) => {
    const flooders = times(12, flooder).map((address, at) => address.replace('N', String(at + 1)))
    expect(await loginFrom(owner, flooders)).toBe('ok')
  })

  it.each([
    ['a /48 of IPv6', '2001:db8:7:N::1', '2001:db8:7:ff::1'],
    ['a /48 of IPv6 whose last group is zero', '2001:db8:0:N::1', '2001:db8::1'],
    ['a /24 of IPv4', '203.0.113.N', '203.0.113.200'],
  ])('takes the places of all its networks: %s', async (_what, flooder, owner) => {
    const flooders = times(12, flooder).map((address, at) => address.replace('N', String(at + 1)))
    expect(await loginFrom(owner, flooders)).toBe(UNAVAILABLE)
  })
})
