import { describe, expect, it } from 'vitest'
import { totp } from '@svc/auth/totp'
import { fakeClock } from '@svc/auth/testing'
import { openSome as open } from './factor-kinds.ts'
import { enabled, KEY, openStage } from './factor-stage.ts'

// RFC 6238, appendix B, the rows of SHA-1: seconds, and the code of eight digits.
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const
/** `12345678901234567890`, as base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** RFC 4226, appendix D, count 0: the code at the time 0. */
const FIRST_CODE = '755224'

describe('a time code', () => {
  it.each(VECTORS)('is, at %d s, the last digits of %s, as in RFC 6238', async (seconds, code) => {
    const { clock, first, bind } = await openStage(open)
    clock.set(seconds * 1000)
    expect(await first.verifySetup(SECRET, code.slice(2))).toBe(true)
    expect(await first.verifySetup(SECRET, code)).toBe(false)
    const eight = bind({ digits: 8 })
    expect(await eight.verifySetup(SECRET, code)).toBe(true)
    expect(await eight.verifySetup(SECRET, code.slice(2))).toBe(false)
  })

  it('is accepted once when it is of RFC 6238, one after the other (2FA-16)', async () => {
    const { clock, first, second, user } = await openStage(open)
    clock.set(0)
    expect(await first.verifySetup(SECRET, FIRST_CODE)).toBe(true)
    await first.enable(user, SECRET)
    for (const [seconds, code] of VECTORS) {
      clock.set(seconds * 1000)
      expect(await second.verify(user, code.slice(2))).toBe(true)
      expect(await first.verify(user, code.slice(2))).toBe(false)
    }
  })

  it('is accepted one step early or late', async () => {
    const { first, codeFor } = await openStage(open)
    const accepted = await Promise.all(
      [-2, -1, 0, 1, 2].map(async (step) => first.verifySetup(SECRET, codeFor(SECRET, step))),
    )
    expect(accepted).toEqual([false, true, true, true, false])
  })

  it.each(['12345é', '12345', '1234567', 'abcdef', ''])(
    'is refused where it is no number of six digits: %j',
    async (typed) => {
      const stage = await openStage(open)
      await enabled(stage)
      expect(await stage.first.verifySetup(SECRET, typed)).toBe(false)
      expect(await stage.first.verify(stage.user, typed)).toBe(false)
    },
  )

  it('is refused like any wrong code when the clock of its phone is a minute to an hour off', async () => {
    const stage = await openStage(open)
    const { first, user, codeFor } = stage
    const { secret } = await enabled(stage)
    for (const step of [-120, -20, -3, -2, 2, 3, 20, 120]) {
      expect(await first.verifySetup(secret, codeFor(secret, step))).toBe(false)
      expect(await first.verify(user, codeFor(secret, step))).toBe(false)
    }
    // None of them has used a step up.
    expect(await first.verify(user, codeFor(secret))).toBe(true)
  })

  it.each([
    ['spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    ['a no-break space', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
    ['hyphens', (code: string) => `${code.slice(0, 2)}-${code.slice(2, 4)}–${code.slice(4)}`],
    ['full-width digits', (code: string) => digitsFrom(code, 0xff10)],
    ['Arabic digits', (code: string) => digitsFrom(code, 0x0660)],
    ['Persian digits', (code: string) => digitsFrom(code, 0x06f0)],
  ])('may be typed with %s', async (_how, typed) => {
    const stage = await openStage(open)
    const { secret } = await enabled(stage)
    expect(await stage.first.verify(stage.user, typed(stage.codeFor(secret)))).toBe(true)
  })

  it('is accepted right after the set-up, once the app shows another', async () => {
    const { first, user, codeFor, advance } = await openStage(open)
    await first.verifySetup(SECRET, codeFor(SECRET))
    await first.enable(user, SECRET)
    advance(30)
    expect(await first.verify(user, codeFor(SECRET))).toBe(true)
  })

  it('is used up by the set-up when its phone is ahead', async () => {
    const { first, user, codeFor } = await openStage(open)
    const ahead = codeFor(SECRET, 1)
    await first.verifySetup(SECRET, ahead)
    await first.verifySetup(SECRET, codeFor(SECRET))
    await first.enable(user, SECRET)
    expect(await first.verify(user, ahead)).toBe(false)
  })

  it('is used up by a set-up that another node confirmed, with every step it can have had', async () => {
    const { first, second, user, codeFor, advance } = await openStage(open)
    await first.verifySetup(SECRET, codeFor(SECRET))
    await second.enable(user, SECRET)
    advance(30)
    expect(await second.verify(user, codeFor(SECRET))).toBe(false)
    advance(30)
    expect(await second.verify(user, codeFor(SECRET))).toBe(true)
  })
})

describe('the QR code', () => {
  it('is a PNG as a data URL, also for the longest email', async () => {
    const { first, user } = await openStage(open)
    expect(await first.qrCode(user, SECRET)).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
    const person = { ...user, email: `${'ü'.repeat(242)}@example.com` }
    expect((await first.qrCode(person, SECRET)).length).toBeLessThan(64 * 1024)
  })
})

describe('the options of totp', () => {
  const factors = { read: () => null } as never
  const given = { issuer: 'Acme Panel', factors, keys: [KEY] }
  const required = { isRequiredFor: () => true }

  it.each([
    ['issuer', { issuer: ' ' }],
    ['factors', { factors: undefined }],
    ['keys', { keys: [] }],
    ['keys', { keys: [''] }],
    ['keys: give a list', { keys: KEY }],
    ['keys: give a list of the keys in app.keys, each of at least 32', { keys: [KEY, 'short'] }],
    ['digits', { digits: 5 }],
    ['isRequiredFor: give a function', { isRequiredFor: true }],
    ['clock: give an object', { clock: () => 0 }],
    ['requiredFrom: give a valid Date', { ...required, requiredFrom: new Date('2027-13-01') }],
    ['requiredFrom: give a valid Date', { ...required, requiredFrom: '2027-01-01' }],
    ['requiredFrom: give isRequiredFor', { requiredFrom: new Date() }],
    ['requiredFrom: give isRequiredFor', { requiredFrom: () => new Date() }],
    ['isRequiredfor: no such option; did you mean isRequiredFor', { isRequiredfor: () => true }],
  ])('are checked at the start: %s', (name, wrong) => {
    expect(() => totp({ ...given, ...wrong } as never)).toThrow(`totp: ${name}`)
  })

  it('name users of any form, and refuse a user without an id', async () => {
    const stage = await openStage(open)
    const clock = fakeClock()
    const { host } = stage
    const binding = totp<{ readonly uuid: string }>({
      ...given,
      factors: host.first,
      clock,
      identify: ({ uuid }) => ({ id: uuid, email: 'ada@example.com' }),
    })
    expect(await binding.isEnabledFor({ uuid: 'u1' })).toBe(false)
    const other = totp<object>({ ...given, factors: host.first })
    await expect(async () => other.isEnabledFor({})).rejects.toThrow('a user has no `id`')
  })

  it('say who has to enable it, from the current user', async () => {
    const { bind, user } = await openStage(open)
    expect(await bind({}).isRequiredFor(user)).toBe(false)
    expect(await bind({ isRequiredFor: ({ id }) => id === 'u1' }).isRequiredFor(user)).toBe(true)
  })

  it('say from when on, for everybody or for each user', async () => {
    const { bind, user, otherUser } = await openStage(open)
    const from = new Date('2027-02-01')
    expect(bind(required)).not.toHaveProperty('requiredFrom')
    expect(await bind({ ...required, requiredFrom: from }).requiredFrom?.(user)).toEqual(from)
    const ofUser = bind({ ...required, requiredFrom: ({ id }) => (id === 'u1' ? from : null) })
    expect(await ofUser.requiredFrom?.(user)).toEqual(from)
    expect(await ofUser.requiredFrom?.(otherUser)).toBeNull()
  })
})

function digitsFrom(code: string, zero: number): string {
  return code.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))
}
