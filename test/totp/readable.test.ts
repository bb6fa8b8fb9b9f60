import { describe, expect, it } from 'vitest'
import { sqliteFactors, totp, type FactorStore } from '@svc/auth/totp'
import { openHandle } from '../support/sqlite.ts'
import { KEY } from './factor-stage.ts'

const OTHER_KEY = 'another key of 32 characters or more'
const user = { id: '1', email: 'ada@example.com' }

function bind(factors: FactorStore, key = KEY) {
  return totp<typeof user>({ issuer: 'Acme', factors, keys: [key] })
}

async function enabled(factors: FactorStore): Promise<string> {
  const binding = bind(factors)
  const secret = await binding.newSecret()
  await binding.enable(user, secret)
  return secret
}

/** Creates a store that returns one factor, in a form that stores it as it is. */
function storeOf(secret: string | null, recoveryCodes: string | null = null): FactorStore {
  const plain = { read: (text: string) => text, write: (text: string) => text }
  const codes = { read: (text: string) => JSON.parse(text), write: () => '[]' }
  const read = () => ({ secret, recoveryCodes })
  const no = () => false
  const methods = { read, useStep: no, replaceRecoveryCodes: no, enable: no, disable: no }
  return { ...methods, secrets: plain, recoveryCodes: codes }
}

describe('a check of a stored second factor', () => {
  it('rejects a secret whose key is missing', async () => {
    const factors = sqliteFactors(openHandle(':memory:'))
    await enabled(factors)
    await expect(bind(factors).checkReadable?.(user)).resolves.toBeUndefined()
    await expect(bind(factors, OTHER_KEY).checkReadable?.(user)).rejects.toThrow('does not open')
  })

  it.each([
    ['a secret that is not base32', storeOf('0189'), 'Invalid character'],
    ['an empty secret', storeOf(''), 'is empty'],
    ['recovery codes in another form', storeOf('GEZDGNBV', 'a-code'), 'user 1 is not JSON'],
  ])('rejects %s', async (_case, factors, reason) => {
    await expect(bind(factors).checkReadable?.(user)).rejects.toThrow(reason)
  })

  it('shows nothing of what is stored, which `JSON.parse` quotes', async () => {
    const secrets = { read: (text: string) => JSON.parse(text), write: (text: string) => text }
    for (const factors of [storeOf('GEZDGNBV', 'a-code'), { ...storeOf('GEZDGNBV'), secrets }]) {
      const text = expect.not.stringMatching(/a-code|GEZDGNBV/)
      await expect(bind(factors).checkReadable?.(user)).rejects.toThrow(
        expect.objectContaining({ message: text }),
      )
      await expect(bind(factors).verify(user, '123456')).rejects.toThrow('is not JSON')
    }
  })

  it.each([
    ['a user without one', { ...storeOf(null), read: () => null }],
    ['recovery codes without a secret', storeOf(null, '["a"]')],
  ])('passes %s', async (_case, factors) => {
    await expect(bind(factors).checkReadable?.(user)).resolves.toBeUndefined()
  })

  it('passes a user with a device that can be read, beside one that cannot', async () => {
    const factors = sqliteFactors(openHandle(':memory:'), { devices: true })
    await enabled(factors)
    const other = bind(factors, OTHER_KEY)
    await other.devices?.add(user, { secret: await other.newSecret(), name: 'phone' })
    await expect(bind(factors).checkReadable?.(user)).resolves.toBeUndefined()
    await expect(other.checkReadable?.(user)).resolves.toBeUndefined()
    await expect(bind(factors, KEY.toUpperCase()).checkReadable?.(user)).rejects.toThrow('open')
  })
})
