import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HashFormat } from '@svc/auth/hashes'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import { flaskSecurity, oslo, symfony } from '../users/hashes-guide/prepared.ts'

/*
 * Made by the published code: symfony/password-hasher 5.4, Flask-Security 5.1.2 and oslo 1.2.1.
 */
const LONG = 'é'.repeat(40)
const SHORT = 'correct horse é'
const COMPOSED = 'correct horse é ²'
const vectors: readonly (readonly [string, HashFormat, string, string])[] = [
  ['Symfony', symfony, SHORT, '$2y$04$FsBKc9RCUdxeBYdRGwYyhelGESmvvJylhs/BEtKYc758dmNMtXHJG'],
  ['Symfony', symfony, LONG, '$2y$04$g9xywPufsog8/93hQoxPYei8adbkmp7t4pzRDin8dCrlA0J965UnW'],
  [
    'Flask-Security',
    flaskSecurity,
    COMPOSED,
    '$2b$04$jrkBEx1UuEDLNVPgUWi0k.zSCNQClndB5qzGYXYpBELT/o0sgXJG2',
  ],
  [
    'oslo',
    oslo,
    COMPOSED,
    '$argon2id$v=19$m=19456,t=2,p=1$OoKUwqDd2BOoqNN3LVEqlg$X86aYGNt1D5fHr1hkBIk/BAwV2TxQA44EHNEZGCeHzc',
  ],
]

describe('a format that prepares the password as the other system does', () => {
  it.each(vectors)('%s: matches the password and no longer one', async (...vector) => {
    const [, format, password, hash] = vector
    vi.stubEnv('SECURITY_PASSWORD_SALT', '146585145368132386173505678016728509634')
    onTestFinished(() => void vi.unstubAllEnvs())
    const passwords = createPasswords({ passes: 3, concurrency: 1, formats: [format] })
    onTestFinished(() => passwords.close())
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    expect(await slot.verify(password, hash)).toMatchObject({ outcome: 'match' })
    expect(await slot.verify(`${password}x`, hash)).toEqual({ outcome: 'mismatch' })
  })
})
