import { expect, it } from 'vitest'
import { twoFactorCases } from '@svc/auth/testing'
import type { OpenHost } from './factor-kinds.ts'
import { enabled, KEY, openStage, PLAIN_CODES } from './factor-stage.ts'

const OLD_KEY = 'the key of the tests before it was replaced by another'

/**
 * Tests that hold for the store of every kind of database and handle. How codes are hashed does not depend on the
 * store, and the slow hashes of ten codes would be most of each test.
 *
 * @param codes `hashed` for one kind, with which the published suite sees the codes as a host stores them.
 */
export function testFactorStore(open: OpenHost, codes: 'plain' | 'hashed' = 'plain'): void {
  const form = codes === 'plain' ? PLAIN_CODES : {}
  for (const { name, run } of twoFactorCases)
    it(name, async () => run({ open: async () => openStage(open, form) }))

  it('stores neither the secret nor a recovery code', async () => {
    const stage = await openStage(open)
    const { secret, recovery } = await enabled(stage)
    const further = await stage.first.newSecret()
    await stage.first.devices?.add(stage.user, { secret: further, name: 'Pixel' })
    const [row] = await stage.host.run('select * from svc_two_factor')
    const stored = JSON.stringify(row).toLowerCase()
    expect(stored).toContain('recovery_codes')
    expect(stored).toContain('pixel')
    for (const plain of [
      secret,
      further,
      ...recovery,
      ...recovery.map((one) => one.replaceAll('-', '')),
    ])
      expect(stored).not.toContain(plain.toLowerCase())
  })

  it('keeps the second factor of a user when one is erased whose id is spelled like it', async () => {
    const stage = await openStage(open)
    const { first, user } = stage
    await enabled(stage)
    await first.erase?.(user.id.toUpperCase())
    expect(await first.isEnabledFor(user)).toBe(true)
    await first.erase?.(user.id)
    expect(await first.isEnabledFor(user)).toBe(false)
  })

  it('seals a secret again by the newest key with the next code', async () => {
    const stage = await openStage(open)
    const { user, codeFor, advance } = stage
    const old = stage.bind({ keys: [OLD_KEY] })
    const secret = await old.newSecret()
    await old.verifySetup(secret, codeFor(secret))
    await old.enable(user, secret)
    advance(60)
    const halfway = stage.bind({ keys: [KEY, OLD_KEY] })
    expect(await halfway.verify(user, codeFor(secret))).toBe(true)
    advance(30)
    expect(await stage.first.verify(user, codeFor(secret))).toBe(true)
    advance(30)
    await expect(async () => old.verify(user, codeFor(secret))).rejects.toThrow('u1 does not open')
  })

  it('lets one of two nodes use a step, and then only later steps', async () => {
    const stage = await openStage(open)
    const { host, user } = stage
    await enabled(stage)
    const read = await host.first.read(user.id)
    if (read?.secret === undefined || read.secret === null) throw new Error('nothing is enabled')
    const used = { lastStep: 2 ** 33, secret: read.secret }
    expect(await host.second.useStep(user.id, read, used)).toBe(true)
    expect(await host.first.useStep(user.id, read, used)).toBe(false)
    expect(await host.first.useStep(user.id, read, { ...used, lastStep: 2 ** 33 + 1 })).toBe(true)
  })

  it('refuses a code for a secret that was replaced while the code was checked', async () => {
    const stage = await openStage(open)
    const { host, first, user } = stage
    await enabled(stage)
    const read = await host.first.read(user.id)
    if (read?.secret === undefined || read.secret === null) throw new Error('nothing is enabled')
    await first.disable(user)
    await enabled(stage)
    const used = { lastStep: 2 ** 33, secret: read.secret }
    expect(await host.second.useStep(user.id, read, used)).toBe(false)
    expect(await host.second.replaceRecoveryCodes(user.id, read, '[]')).toBe(false)
  })

  it('does not open for a user to whom the row was copied', async () => {
    const stage = await openStage(open)
    const { host, first, user, otherUser, codeFor } = stage
    const { secret, recovery } = await enabled(stage)
    await host.run(`insert into svc_two_factor (user_id, secret, recovery_codes, last_step)
      select '${otherUser.id}', secret, recovery_codes, 0 from svc_two_factor`)
    await expect(async () => first.verify(otherUser, codeFor(secret))).rejects.toThrow(
      'u2 does not open',
    )
    expect(await first.verify(otherUser, recovery[0] ?? '')).toBe(false)
    expect(await first.verify(user, recovery[0] ?? '')).toBe(true)
  })
}
