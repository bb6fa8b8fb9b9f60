import { describe, expect, it } from 'vitest'
import { createSealer } from '@svc/auth'
import { sealerFor } from '../../build/src/contracts/sealed.js'

const sealer = createSealer('test', ['the old key'])

describe('createSealer', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'ü💥\0'])('opens the text %j that it sealed', (text) => {
    expect(sealer.open(sealer.seal(text, 'ada'), 'ada')).toBe(text)
  })

  it('opens a text that an earlier version of the reference panel stored', () => {
    const stored =
      'XxjxEhdh6H7XReqIFoouXI6EX6OBQEHhXr1-Z9snHlQqReCeLc5Vii9TVLGPccRfx3K-hYRSK91WwlGe'
    const before = createSealer('panel.totp.v1', ['a key of the panel that nobody knows'])
    expect(before.open(stored, '1')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })

  it('seals the same text differently each time', () => {
    const sealed = Array.from({ length: 100 }, () => sealer.seal('text', 'ada'))
    expect(new Set(sealed).size).toBe(100)
  })

  it('opens with every key and seals with the first', () => {
    const rotated = createSealer('test', ['the new key', 'the old key'])
    expect(rotated.open(sealer.seal('text', 'ada'), 'ada')).toBe('text')
    expect(sealer.open(rotated.seal('text', 'ada'), 'ada')).toBeNull()
  })

  it('returns null for another owner and for another purpose', () => {
    const sealed = sealer.seal('text', 'ada')
    expect(sealer.open(sealed, 'bea')).toBeNull()
    expect(createSealer('other', ['the old key']).open(sealed, 'ada')).toBeNull()
  })

  it('returns null for a text that was altered or shortened', () => {
    const bytes = Buffer.from(sealer.seal('text', 'ada'), 'base64url')
    for (let place = 0; place < bytes.length; place += 1) {
      const altered = Buffer.from(bytes)
      altered[place] = (altered[place] ?? 0) ^ 1
      expect(sealer.open(altered.toString('base64url'), 'ada')).toBeNull()
      expect(sealer.open(bytes.subarray(0, place).toString('base64url'), 'ada')).toBeNull()
    }
  })

  it('refuses an empty list of keys', () => {
    expect(() => createSealer('test', [])).toThrow('createSealer: give at least one key')
    expect(() => sealerFor('svc.test', [])).toThrow('needs a key')
  })

  it.each(['', 'svc.sealed.v2', 'svc.session.v1'])(
    'refuses the purpose %j, so that no host derives a key of the service',
    (purpose) => {
      expect(() => createSealer(purpose, ['the old key'])).toThrow('give a purpose of your own')
    },
  )
})
