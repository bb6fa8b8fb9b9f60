import { hash as bcrypt } from '@node-rs/bcrypt'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { faultyStores } from '../../support/faulty-stores.ts'
import { NEW_KEY, OLD_KEY } from '../../support/keys.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { peopleWithHash, startService, type Changes } from '../../support/service.ts'
import { TLS, withCookiesOf } from '../../support/session-cookies.ts'
import { atDeadline } from '../../support/time.ts'
import { FAILED, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const bcryptHash = await bcrypt(PASSWORD, 4)

describe('Login session: an outdated hash', () => {
  it('is kept when it cannot be stored: the user logs in, and one line is logged', async () => {
    const users = peopleWithHash(bcryptHash)
    const service = await startService({ users })
    users.failWith(new Error('permission denied'), 'rehash')
    for (let login = 0; login < 3; login += 1) {
      const una = service.browser()
      expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
      expect(verdict(await una.get('/svc/api/user'))).toBe('ok')
    }
    expect(await attempt(await visitor(service), 'u1@x.test')).toBe(FAILED)
    expect(users.row('u1')?.passwordHash).toBe(bcryptHash)
    expect(service.log.map(({ fields }) => fields)).toMatchObject([
      { event: 'auth.hash_not_renewed', err: new Error('permission denied') },
    ])
  })

  it('is logged again when it cannot be stored after one could', async () => {
    const users = peopleWithHash(bcryptHash)
    const service = await startService({ users })
    const logIn = async () => verdict(await service.browser().logIn('u1@x.test'))
    for (let round = 0; round < 2; round += 1) {
      users.update('u1', { passwordHash: bcryptHash })
      users.failWith(new Error('permission denied'), 'rehash')
      expect([await logIn(), await logIn()]).toEqual(['ok', 'ok'])
      users.recover()
      expect(await logIn()).toBe('ok')
    }
    // The second line is due a second after the first.
    await vi.waitFor(() => expect(service.log).toHaveLength(2), 2000)
  })

  it('is kept without an error when the host changes no row, which is logged, too', async () => {
    const users = peopleWithHash(bcryptHash)
    users.rehash = async () => false
    const service = await startService({ users })
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(service.log.map(({ fields }) => fields)).toEqual([{ event: 'auth.hash_not_renewed' }])
  })

  it('is not renewed again for a while when the host did not answer in time', async () => {
    const users = peopleWithHash(bcryptHash)
    let calls = 0
    users.rehash = async () => {
      calls += 1
      return new Promise<never>(() => undefined)
    }
    const service = await startService({ users })
    const logIn = async () => verdict(await service.browser().logIn('u1@x.test'))
    expect(await atDeadline(logIn, () => calls > 0)).toBe('ok')
    expect([await logIn(), await logIn(), calls]).toEqual(['ok', 'ok', 1])
  })

  it('is not logged as kept when another login has renewed it in the meantime', async () => {
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    users.rehash = async (user, from, to) => {
      await rehash(user, from, to)
      return false
    }
    const service = await startService({ users })
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(service.log).toEqual([])
  })

  it('is logged when the host fails after it has stored the new one, and the user logs in', async () => {
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    const failure = new Error('connection lost')
    users.rehash = async (user, from, to) => {
      await rehash(user, from, to)
      throw failure
    }
    const service = await startService({ users })
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(service.log.map(({ fields }) => fields)).toEqual([
      { event: 'auth.hash_not_renewed', err: failure },
    ])
  })

  it('leaves the other sessions when the host fails after it has stored the new one', async () => {
    const { service, users, renew, other } = await withSession()
    users.rehash = async (...hashes) => {
      await renew(...hashes)
      throw new Error('connection lost')
    }
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(users.row('u1')?.passwordHash).not.toBe(bcryptHash)
    expect(verdict(await other.get('/svc/api/user'))).toBe('ok')
  })

  it('leaves the other sessions that ask while the host stores the new one', async () => {
    const { service, users, renew, other } = await withSession()
    const asked: string[] = []
    users.rehash = async (...hashes) => {
      const isStored = await renew(...hashes)
      asked.push(verdict(await other.get('/svc/api/user')))
      return isStored
    }
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect([asked, verdict(await other.get('/svc/api/user'))]).toEqual([['ok'], 'ok'])
  })

  it('leaves the other sessions when the host does not store the new one', async () => {
    const { service, users, other } = await withSession()
    users.failWith(new Error('permission denied'), 'rehash')
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(verdict(await other.get('/svc/api/user'))).toBe('ok')
  })

  it('leaves the other sessions when another login has stored its own new one', async () => {
    const { service, users, other } = await withSession()
    const passwordHash = await bcrypt(PASSWORD, 4)
    users.rehash = async () => {
      users.update('u1', { passwordHash })
      return false
    }
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(verdict(await other.get('/svc/api/user'))).toBe('ok')
  })

  it('leaves the other sessions when the stores fail at any moment of the login', async () => {
    const outcomes: string[] = []
    for (let call = 1; outcomes.at(-1) !== 'ok'; call += 1) {
      const stores = faultyStores(memoryStores())
      const { service, users, renew, other } = await withSession({ stores })
      users.rehash = renew
      const una = await visitor(service)
      stores.breakAt(call, 'fails, and so do all later ones')
      outcomes.push(await attempt(una, 'u1@x.test', PASSWORD))
      stores.repair()
      expect(verdict(await other.get('/svc/api/user')), `call ${call}`).toBe('ok')
    }
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set([UNAVAILABLE]))
  })

  it('leaves a session that was opened before the application key was replaced', async () => {
    const stores = memoryStores()
    const app = { url: TLS, keys: [OLD_KEY] }
    const { users, renew, other } = await withSession({ stores, appUrl: TLS, config: { app } })
    const keys = [NEW_KEY, OLD_KEY]
    const replaced = { stores, users, appUrl: TLS, config: { app: { ...app, keys } } }
    const service = await startService(replaced)
    users.rehash = renew
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(users.row('u1')?.passwordHash).not.toBe(bcryptHash)
    const moved = withCookiesOf(other, service.browser())
    expect(verdict(await moved.get('/svc/api/user'))).toBe('ok')
  })
})

/** Logs U1 in without a renewal. `renew` is the host's own `rehash`. */
async function withSession(changes: Changes = {}) {
  const users = peopleWithHash(bcryptHash)
  const renew = users.rehash
  users.rehash = async () => false
  const service = await startService({ users, ...changes })
  const other = await loggedIn(service)
  return { service, users, renew, other }
}
