import { randomBytes, randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { complaint, expectComplaint, withKeys } from './start.ts'

describe('app.keys: a key that can be guessed is refused', () => {
  it.each([
    'a'.repeat(64),
    'changeme'.repeat(8),
    'replace-me-with-32-random-characters!',
    'abcdefghijklmnopqrstuvwxyz012345',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef',
    'zyxwvutsrqponmlkjihgfedcba987654',
    'qwertyuiopasdfghjklzxcvbnm123456',
    '12345678901234567890123456789012',
    '0123456789abcdeffedcba9876543210',
    'aabbccddeeffgghhiijjkkllmmnnoopp',
    'acegikmoqsuwybdfhjlnprtvxz024681',
    '1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y',
    'aZ1bY2cX3dW4eV5fU6gT7hS8iR9jQ0kP',
    '20240101202401022024010320240104',
    'Passw0rdPassw0rdPassw0rdPassw0rd!',
    'my-super-secret-key-for-the-panel',
    'the password of our administrators',
  ])('%s', (key) => {
    expectComplaint(withKeys(key), 'app.keys[0]', /can be guessed.*npx svc key generate/)
  })
})

describe('app.keys: a random key is accepted', () => {
  it.each([
    ['32 bytes in base64', () => randomBytes(32).toString('base64')],
    ['24 bytes in base64url', () => randomBytes(24).toString('base64url')],
    ['32 bytes in hexadecimal', () => randomBytes(32).toString('hex')],
    ['16 bytes in hexadecimal', () => randomBytes(16).toString('hex')],
    ['a key of Laravel', () => `base64:${randomBytes(32).toString('base64')}`],
    ['40 digits', () => Array.from({ length: 40 }, () => randomInt(10)).join('')],
  ])('%s', (_form, make) => {
    for (let made = 0; made < 100; made += 1) expect(complaint(withKeys(make()))).toBe('started')
  })
})
