import { fork, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { twoFactorCases } from '@svc/auth/testing'
import { TotpStore } from '../../build/panel/totp-store.js'
import { kinds } from './databases.ts'
import { KEY, somePeople, type TestPeople } from './people.ts'

let people: TestPeople
const children = new Set<ChildProcess>()

describe.each(kinds)('the second factor on %s', (kind) => {
  beforeEach(async () => {
    people = await somePeople(kind)
  })

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    children.clear()
    await people.close()
  })

  describe('the published suite, with two instances on one database', () => {
    for (const { name, run } of twoFactorCases)
      it(name, async () => run({ open: async () => somePeople(kind) }))
  })

  describe('codes', () => {
    // RFC 6238, appendix B, the rows of SHA-1: seconds, and the code of eight digits.
    const vectors = [
      [59, '94287082'],
      [1_111_111_109, '07081804'],
      [1_111_111_111, '14050471'],
      [1_234_567_890, '89005924'],
      [2_000_000_000, '69279037'],
      [20_000_000_000, '65353130'],
    ] as const
    /** `12345678901234567890`, as base32. */
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    /** RFC 4226, appendix D, count 0: the code at the time 0. */
    const first = '755224'

    it.each(vectors)('at %d s are the last digits of %s, as in RFC 6238', async (seconds, code) => {
      people.clock.set(seconds * 1000)
      expect(await people.first.verifySetup(secret, code.slice(2))).toBe(true)
      expect(await people.first.verifySetup(secret, code)).toBe(false)
    })

    it('of RFC 6238 are accepted once each, one after the other (2FA-16)', async () => {
      people.clock.set(0)
      expect(await people.first.verifySetup(secret, first)).toBe(true)
      await people.first.enable(people.user, secret)
      for (const [seconds, code] of vectors) {
        people.clock.set(seconds * 1000)
        expect(await people.second.verify(people.user, code.slice(2))).toBe(true)
        expect(await people.first.verify(people.user, code.slice(2))).toBe(false)
      }
    })

    it('are accepted one step off, and not two', async () => {
      const code = people.codeFor(secret)
      const accepted: boolean[] = []
      for (const seconds of [-60, -30, 0, 30, 60]) {
        people.advance(seconds)
        accepted.push(await people.first.verifySetup(secret, code))
        people.advance(-seconds)
      }
      expect(accepted).toEqual([false, true, true, true, false])
    })

    it.each([
      ['spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
      ['a no-break space', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
      ['hyphens', (code: string) => `${code.slice(0, 2)}-${code.slice(2, 4)}–${code.slice(4)}`],
      ['full-width digits', (code: string) => digitsFrom(code, 0xff10)],
      ['Arabic digits', (code: string) => digitsFrom(code, 0x0660)],
      ['Persian digits', (code: string) => digitsFrom(code, 0x06f0)],
    ])('may be typed with %s', async (_how, typed) => {
      const { secret } = await enabled()
      expect(await people.first.verify(people.user, typed(people.codeFor(secret)))).toBe(true)
    })

    it('are accepted right after the set-up, once the app shows another', async () => {
      const secret = await people.first.newSecret()
      await people.first.verifySetup(secret, people.codeFor(secret))
      await people.first.enable(people.user, secret)
      people.advance(30)
      expect(await people.first.verify(people.user, people.codeFor(secret))).toBe(true)
    })

    it('of a phone that is ahead are used up by the set-up', async () => {
      const secret = await people.first.newSecret()
      people.advance(30)
      const ahead = people.codeFor(secret)
      people.advance(-30)
      const now = people.codeFor(secret)
      await people.first.verifySetup(secret, ahead)
      await people.first.verifySetup(secret, now)
      await people.first.enable(people.user, secret)
      expect(await people.first.verify(people.user, ahead)).toBe(false)
    })

    it('of a set-up that another process confirmed are used up', async () => {
      const secret = await people.first.newSecret()
      await people.first.verifySetup(secret, people.codeFor(secret))
      await people.second.enable(people.user, secret)
      people.advance(30)
      expect(await people.second.verify(people.user, people.codeFor(secret))).toBe(false)
      people.advance(30)
      expect(await people.second.verify(people.user, people.codeFor(secret))).toBe(true)
    })
  })

  describe('recovery codes', () => {
    it('are ten, of 12 characters, in groups of letters that cannot be confused', async () => {
      const { recovery } = await enabled()
      expect(recovery).toHaveLength(10)
      for (const code of recovery)
        expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){2}[0-9a-hjkmnp-tv-z]{4}$/)
    })

    it.each([
      ['in capitals', (code: string) => code.toUpperCase()],
      ['with spaces', (code: string) => ` ${code.replaceAll('-', ' ')} `],
      ['in one piece', (code: string) => code.replaceAll('-', '')],
      ['with look-alikes', (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'l')],
    ])('may be typed %s', async (_how, typed) => {
      const { recovery } = await enabled()
      for (const code of recovery) {
        expect(await people.first.verify(people.user, typed(code))).toBe(true)
        expect(await people.second.verify(people.user, code)).toBe(false)
      }
    })

    it('of 24 characters, from an older version, work once', async () => {
      await enabled()
      const long = 'abcd-efgh-jkmn-pqrs-tvwx-yz23'
      const hash = createHash('sha256').update(long.replaceAll('-', '')).digest('base64url')
      const code = { hash, person: people.user.id }
      await people.database.tables.insertInto('people_recovery_codes').values(code).execute()
      expect(await people.first.verify(people.user, long)).toBe(true)
      expect(await people.second.verify(people.user, long)).toBe(false)
    })

    it('are stored as salted hashes: equal codes of two users differ', async () => {
      const { recovery } = await enabled()
      const plain = new Set(
        recovery.map((code) =>
          createHash('sha256').update(code.replaceAll('-', '')).digest('base64url'),
        ),
      )
      const codes = people.database.tables.selectFrom('people_recovery_codes')
      const stored = await codes.select('hash').execute()
      expect(stored).toHaveLength(10)
      expect(stored.filter(({ hash }) => plain.has(hash))).toEqual([])
    })

    it('work when the key was lost', async () => {
      const { recovery, secret } = await enabled()
      const other = people.bind('another key that is long enough to be one')
      expect(await other.verify(people.user, recovery[0] ?? '')).toBe(true)
      await expect(async () => other.verify(people.user, people.codeFor(secret))).rejects.toThrow(
        'does not open',
      )
    })
  })

  describe('what is stored', () => {
    it('is neither the secret nor a recovery code', async () => {
      const { secret, recovery } = await enabled()
      const bytes = (await people.stored()).toLowerCase()
      expect(bytes).toContain('people_two_factor')
      for (const code of recovery) {
        expect(bytes).not.toContain(code)
        expect(bytes).not.toContain(code.replaceAll('-', ''))
      }
      expect(bytes).not.toContain(secret.toLowerCase())
    })

    it('is readable after a new first key', async () => {
      const { secret } = await enabled()
      const rotated = people.bind('a new key, that seals from now on', KEY)
      expect(await rotated.verify(people.user, people.codeFor(secret))).toBe(true)
    })

    it('is invalid for another user', async () => {
      const { secret } = await enabled()
      const { tables } = people.database
      const factor = await tables
        .selectFrom('people_two_factor')
        .selectAll()
        .executeTakeFirstOrThrow()
      const copy = { ...factor, person: people.otherUser.id, last_step: 0 }
      await tables.insertInto('people_two_factor').values(copy).execute()
      await expect(async () =>
        people.first.verify(people.otherUser, people.codeFor(secret)),
      ).rejects.toThrow('does not open')
    })

    it('is removed with the second factor and with the user', async () => {
      await enabled()
      await people.first.disable(people.user)
      expect(await rows()).toBe(0)
      await enabled()
      expect(await rows()).toBe(11)
      await people.users.remove(people.user)
      expect(await rows()).toBe(0)
    })

    it('is stored all or not at all when enabling fails at the third recovery code', async () => {
      const factor = { sealedSecret: 'sealed', lastStep: 0 }
      const twice = ['a hash', 'another', 'a hash']
      await expect(
        new TotpStore(people.database).insert(people.user.id, factor, twice),
      ).rejects.toThrow(/unique/i)
      expect(await people.first.isEnabledFor(people.user)).toBe(false)
      expect(await rows()).toBe(0)
    })
  })

  describe('the QR code', () => {
    it('is a PNG as a data URL', async () => {
      const image = await people.first.qrCode(people.user, secretOf())
      expect(image).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
    })

    it('fits the longest email', async () => {
      const person = { ...people.user, email: `${'ü'.repeat(242)}@example.com` }
      expect((await people.first.qrCode(person, secretOf())).length).toBeLessThan(64 * 1024)
    })
  })

  describe('who has to enable it', () => {
    it('is read from the current user', async () => {
      expect(await people.first.isRequiredFor(people.user)).toBe(false)
      expect(await people.first.isRequiredFor({ ...people.user, twoFactorRequired: 1 })).toBe(true)
    })
  })

  describe('a secret that was replaced while its code was checked', () => {
    it('opens no session', async () => {
      const { secret } = await enabled()
      const store = new TotpStore(people.database)
      const read = await store.read(people.user.id)
      await people.second.disable(people.user)
      await people.second.enable(people.user, secret)
      expect(read && (await store.useStep(people.user.id, read, Number.MAX_SAFE_INTEGER))).toBe(
        false,
      )
    })
  })

  describe('one code on two nodes', () => {
    it('is accepted once among many concurrent requests', async () => {
      const { secret, recovery } = await enabled()
      for (const code of [people.codeFor(secret), ...recovery.slice(0, 2)]) {
        const nodes = Array.from({ length: 10 }, () => [people.first, people.second]).flat()
        const answers = await Promise.all(nodes.map(async (node) => node.verify(people.user, code)))
        expect(answers.filter((accepted) => accepted)).toHaveLength(1)
      }
    })

    it('enables the second factor once', async () => {
      const enable = async (node: TestPeople['first']) =>
        Promise.resolve(node.enable(people.user, secretOf())).then(
          () => 'enabled',
          () => 'refused',
        )
      const answers = await Promise.all([people.first, people.second, people.first].map(enable))
      expect(answers.toSorted()).toEqual(['enabled', 'refused', 'refused'])
      expect(await rows()).toBe(11)
    })
  })

  describe('two processes on one database', () => {
    it('accept each code once between them', async () => {
      const { secret, recovery } = await enabled()
      const codes = [people.codeFor(secret), ...recovery]
      const verifiers = await Promise.all([start(), start()])
      const accepted = await Promise.all(
        verifiers.map(async (child) => {
          child.send({ person: people.user, codes, times: 20 })
          const [list] = await once(child, 'message')
          return list
        }),
      )
      expect(accepted.flat()).toHaveLength(codes.length)
      expect(new Set(accepted.flat())).toEqual(new Set(codes))
    })
  })
})

async function enabled(): Promise<{ secret: string; recovery: readonly string[] }> {
  const secret = await people.first.newSecret()
  await people.first.verifySetup(secret, people.codeFor(secret))
  const recovery = await people.first.enable(people.user, secret)
  people.advance(60)
  return { secret, recovery }
}

async function start(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('verifier.mjs', import.meta.url))
  const child = fork(script, [people.address, KEY, String(people.clock.now())])
  children.add(child)
  await once(child, 'message')
  return child
}

async function rows(): Promise<number> {
  const { tables } = people.database
  const factors = await tables.selectFrom('people_two_factor').select('person').execute()
  const codes = await tables.selectFrom('people_recovery_codes').select('hash').execute()
  return factors.length + codes.length
}

function secretOf(): string {
  return 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
}

function digitsFrom(code: string, zero: number): string {
  return code.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))
}
