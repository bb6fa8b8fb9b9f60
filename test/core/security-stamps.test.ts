import { expect, it } from 'vitest'
import { createSecurityStamps } from '../../build/src/core/sessions/security-stamps.js'

it('the stamp of a hash is signed once, and again after those of 1,000 other hashes', () => {
  let signed = 0
  const sign = (...parts: readonly unknown[]): string => {
    signed += 1
    return parts.join()
  }
  const stamps = createSecurityStamps({ sign, verify: () => false, verifyStart: () => false })
  const signedFor = (hash: string): number => {
    signed = 0
    expect(stamps.fits(`hash,${hash}`, hash)).toBe(true)
    return signed
  }
  for (let hash = 0; hash < 1000; hash += 1) expect(signedFor(String(hash))).toBe(1)
  expect([signedFor('0'), signedFor('999')]).toEqual([0, 0])
  expect([signedFor('1000'), signedFor('0')]).toEqual([1, 1])
})
