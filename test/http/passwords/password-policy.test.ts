import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { change, startPasswords } from '../../support/passwords.ts'
import { passwordHash } from '../../support/service.ts'

const REFUSED = {
  short: 'Use at least 15 characters. A few words you can remember are good.',
  repeated: 'This password repeats the same few characters. Choose another.',
  personal:
    'Do not use your email address, your name or the name of the panel. Choose another password.',
  common: 'Many people use this password. Choose another.',
  long: 'Use at most 1024 characters.',
  characters: 'Remove the characters that cannot be used here.',
} as const

/** Changes the password of U1, whose name is Una Example. @returns the refusal of the field. */
async function refusalOf(password: string): Promise<string | null> {
  const service = await startPasswords({ config: { spa: { off: true, name: 'Orders' } } })
  service.users.update('u1', { name: 'Una Examplesen' })
  const answer = await change(await loggedIn(service), password)
  return answer.status === 204 ? null : answer.json.errors.password[0]
}

/** Returns the errors of a new password for a user with this name. */
async function errorsOf(name: string, password: string): Promise<readonly string[] | undefined> {
  const email = 'zoë@xn--bcher-kva.test'
  const users = fakeUsers([{ id: 'z', email, name, passwordHash }])
  const answer = await change(await loggedIn(await startPasswords({ users }), email), password)
  return answer.json?.errors?.password
}

describe('A new password', () => {
  it.each([
    ['15 letters', 'fifteenletterss'],
    ['words with spaces', 'seven green boats sail home'],
    ['no Latin letters', 'пятнадцатьбуквы'],
    ['emoji', '🐢🐇🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦'],
    ['1024 characters', `${'correct horse battery staple '.repeat(35)}123456789`],
    ['a name among other words', 'una believes that cats can fly'],
    ['digits after a short word', 'love4820394857163920'],
    ['a name of two characters', 'u1 4820394857163920'],
  ])('may have %s', async (_what, password) => {
    expect(await refusalOf(password)).toBeNull()
  })

  it.each([
    ['14 characters', 'fourteenletter', REFUSED.short],
    ['14 emoji, which are 28 code units', '🐢🐇🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧', REFUSED.short],
    ['accents that are typed apart', 'éàèùôîâêûëïöäü'.normalize('NFD'), REFUSED.short],
    ['1025 characters', 'abcdefgh'.repeat(129).slice(0, 1025), REFUSED.long],
    ['four different characters', 'abcdabcdabcdabcd', REFUSED.repeated],
    ['the email', 'my mail is U1@x.test okay', REFUSED.personal],
    ['only the name', 'Una-Examplesen-1984', REFUSED.personal],
    ['only the name of the panel', 'orders.ORDERS.orders', REFUSED.personal],
    ['a common password twice', 'sunshine1sunshine1', REFUSED.common],
    ['a common password with digits', 'password1234567', REFUSED.common],
    ['a common password in capitals', 'BASKETBALL123456', REFUSED.common],
    ['two common passwords', 'sunshine12345678', REFUSED.common],
    ['half a character', 'seven green boats \ud800', REFUSED.characters],
  ])('must not have %s', async (_what, password, refusal) => {
    expect(await refusalOf(password)).toBe(refusal)
  })

  it.each([
    ['the email with the domain as it is read', 'Mail: Zoë@Bücher.test'],
    ['the email with the domain in capitals', 'mail zoë@BÜCHER.TEST'],
    ['the email without its accent', 'mail zoe@bücher.test'],
    ['the name without its accents', 'zoe-unlu-2026-2026'],
    ['the name in wide letters', 'Ｚｏｅ・Ｕｎｌｕ 1234567'],
  ])('must not have %s', async (_what, password) => {
    expect(await errorsOf('Zoë Ünlü', password)).toEqual([REFUSED.personal])
  })

  it.each([
    ['its parts are short', 'Al Bo', 'al bo al bo al bo'],
    ['one part begins the other', 'Ann Annabel', 'annabel-annabel-2026'],
  ])('must not have the name where %s', async (_where, name, password) => {
    expect(await errorsOf(name, password)).toEqual([REFUSED.personal])
  })
})
