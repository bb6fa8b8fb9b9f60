import { hash as bcrypt } from '@node-rs/bcrypt'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { attempt, visitor } from '../../support/logins.ts'
import { peopleWithHash, startService } from '../../support/service.ts'
import { FAILED, verdict } from '../../support/verdicts.ts'

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
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    users.rehash = async () => false
    const service = await startService({ users })
    const other = service.browser()
    expect(verdict(await other.logIn('u1@x.test'))).toBe('ok')
    users.rehash = async (user, from, to) => {
      await rehash(user, from, to)
      throw new Error('connection lost')
    }
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(users.row('u1')?.passwordHash).not.toBe(bcryptHash)
    expect(verdict(await other.get('/svc/api/user'))).toBe('ok')
  })
})
