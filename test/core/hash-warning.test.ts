import { expect, it } from 'vitest'
import { createHashWarning } from '../../build/src/core/login/hash-warning.js'

it('the warning of a hash is repeated only after those of 10,000 other users', () => {
  let lines = 0
  const warn = createHashWarning({ warn: () => void (lines += 1), error: () => undefined })
  const repeated = (userId: string): boolean => {
    lines = 0
    warn({ tenant: null, userId })
    return lines > 0
  }
  for (let user = 0; user < 10_000; user += 1) warn({ tenant: null, userId: String(user) })
  expect([repeated('0'), repeated('9999')]).toEqual([false, false])
  expect(repeated('10000')).toBe(true)
  expect([repeated('1'), repeated('9999'), repeated('0')]).toEqual([false, false, true])
})
