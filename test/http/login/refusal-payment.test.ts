import { hash as bcrypt } from '@node-rs/bcrypt'
import type { HashFormat } from '@svc/auth/hashes'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { killHashingAfterOne } from '../../support/hashing.ts'
import { attempt, visitor } from '../../support/logins.ts'
import { CHEAP, somePeople, startService } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { FAILED, times } from '../../support/verdicts.ts'

/** A format whose verification takes a part of a second. */
const slow = (algorithm: number): HashFormat => {
  const typical = `slow-${algorithm}`
  const salt = Buffer.alloc(16)
  const key = Buffer.alloc(32)
  return {
    name: typical,
    typical,
    read: (hash) =>
      hash === typical
        ? { algorithm: 'pbkdf2', digest: 'sha512', iterations: 500_000, salt, key }
        : null,
  }
}

const OUTDATED = await bcrypt(PASSWORD, 4)
const REFUSALS = [
  ['a wrong password', 'u1@x.test', 'wrong'],
  ['an unknown email', 'nobody@x.test', PASSWORD],
  ['the right password of a refused user', 'u6@x.test', PASSWORD],
  ['a user without a password', 'u7@x.test', PASSWORD],
] as const

describe('Login session: a refusal that costs more hashes than one', () => {
  it.each(REFUSALS)(
    'stays a refusal when the hashing process ends meanwhile, which is logged once: %s',
    async (_reason, email, password) => {
      const config = { passwords: { ...CHEAP, formats: [slow(1)] } }
      const service = await startService({ config })
      const guest = await visitor(service)
      for (let refused = 0; refused < 2; refused += 1) {
        killHashingAfterOne()
        expect(await attempt(guest, email, password)).toBe(FAILED)
      }
      expect(service.log).toMatchObject([{ fields: { event: 'auth.refusal_shortened' } }])
      expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    },
  )

  it('stays a refusal when they take longer than the deadline of the process', async () => {
    // One after the other, they take more than five seconds on any machine.
    const formats = times(64, '').map((_, number) => slow(number))
    const service = await startService({ config: { passwords: { ...CHEAP, formats } } })
    expect(await attempt(await visitor(service), 'u1@x.test')).toBe(FAILED)
    expect(service.log).toMatchObject([{ fields: { event: 'auth.refusal_shortened' } }])
    await settled()
    expect(service.events.map(({ event }) => event)).toContain('failed')
  })

  it('costs a login with the right password nothing', async () => {
    const formats = times(64, '').map((_, number) => slow(number))
    const service = await startService({ config: { passwords: { ...CHEAP, formats } } })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(service.log).toEqual([])
  })
})

describe('Login session: an outdated hash that cannot be renewed', () => {
  it('lets the user log in when the hashing process ends before the new hash is made', async () => {
    const users = somePeople()
    users.update('u1', { passwordHash: OUTDATED })
    const service = await startService({ users })
    killHashingAfterOne()
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(users.row('u1')?.passwordHash).toBe(OUTDATED)
    expect(service.log).toMatchObject([{ fields: { event: 'auth.hash_not_renewed' } }])
  })
})
