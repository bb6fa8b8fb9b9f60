import { describe, expect, it } from 'vitest'
import { secretBox } from '../../dist/panel/secret-box.js'

const box = secretBox('test', ['the old key'])

describe('a secret box', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'ü💥\0'])('opens what it sealed: %j', (text) => {
    expect(box.open(box.seal(text, 'ada'), 'ada')).toBe(text)
  })

  it('seals the same text differently each time', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal('text', 'ada'))
    expect(new Set(sealed).size).toBe(100)
  })

  it('opens with every key and seals with the first', () => {
    const rotated = secretBox('test', ['the new key', 'the old key'])
    expect(rotated.open(box.seal('text', 'ada'), 'ada')).toBe('text')
    expect(() => box.open(rotated.seal('text', 'ada'), 'ada')).toThrow('does not open')
  })

  it('opens for no other owner and no other purpose', () => {
    const sealed = box.seal('text', 'ada')
    expect(() => box.open(sealed, 'bea')).toThrow('does not open')
    expect(() => secretBox('other', ['the old key']).open(sealed, 'ada')).toThrow('does not open')
  })

  it('opens nothing that was changed or cut off', () => {
    const bytes = Buffer.from(box.seal('text', 'ada'), 'base64url')
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      expect(() => box.open(changed.toString('base64url'), 'ada')).toThrow('does not open')
      const cut = bytes.subarray(0, place).toString('base64url')
      expect(() => box.open(cut, 'ada')).toThrow('does not open')
    }
  })

  it('needs a key', () => {
    expect(() => secretBox('test', [])).toThrow('needs a key')
  })
})
