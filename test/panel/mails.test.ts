import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashPassword } from '@svc/auth'
import { UNRATIONED } from '../support/logins.ts'
import { startPanelHere, type TestPanel } from '../support/panel.ts'
import {
  CONFIRM,
  FACTOR,
  FORGOT,
  LOGIN,
  PASSWORD_ROUTE,
  SEND_LINK,
  SETUP,
} from '../support/paths.ts'

/** Verification, factor on and off, invitation, reset, change, new place and lockout. */
const KINDS = 8
const PASSWORD = 'correct horse battery staple'

let panel: TestPanel
let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  vi.spyOn(console, 'log').mockReturnValue()
  panel = await startPanelHere({ limits: UNRATIONED })
})
afterAll(async () => {
  await panel.stop()
  vi.restoreAllMocks()
})

/** Provokes every mail of the panel by browsers of a language. @returns its lines of text. */
async function linesIn(language: string): Promise<readonly string[]> {
  const [email, unverified, invited] = [
    `${language}@example.com`,
    `unverified-${language}@example.com`,
    `invited-${language}@example.com`,
  ]
  await panel.users.createAll([
    { email, name: 'Zoe', passwordHash },
    { email: unverified, name: 'Zoe', passwordHash, mustVerifyEmail: true },
  ])
  const folder = join(panel.environment.SVC_DATA, 'mail')
  const before = new Set(filesOf(folder))
  const headers = { 'accept-language': language, 'user-agent': 'curl/8' }
  const visit = async () => {
    const browser = panel.browser()
    await browser.get('/svc/api/csrf-cookie')
    const send = async (method: string, path: string, body?: object) =>
      (await browser.send(method, path, { body, headers })).json
    return {
      send,
      logIn: async (as: string) => send('POST', LOGIN, { email: as, password: PASSWORD }),
    }
  }

  const newcomer = await visit()
  await newcomer.logIn(unverified)
  await newcomer.send('POST', SEND_LINK)
  const one = await visit()
  await one.logIn(email)
  await one.send('POST', '/api/people', { name: 'Zoe', email: invited })
  const { secret } = await one.send('POST', SETUP)
  await one.send('POST', CONFIRM, { code: new TOTP({ secret }).generate() })
  await one.send('DELETE', FACTOR)
  await one.send('POST', FORGOT, { email })
  const passwords = { current_password: PASSWORD, password: 'seven green boats sail home' }
  await one.send('PUT', PASSWORD_ROUTE, passwords)
  const other = await visit()
  await other.send('POST', LOGIN, { email, password: passwords.password })
  const guesser = await visit()
  for (let wrong = 0; wrong < 6; wrong += 1) await guesser.logIn(email)

  const sent = () => filesOf(folder).filter((file) => !before.has(file))
  await expect.poll(() => sent().length, { timeout: 20_000 }).toBe(KINDS)
  const mails = await Promise.all(
    sent().map(async (file) => PostalMime.parse(readFileSync(join(folder, file)))),
  )
  return mails.flatMap(({ subject = '', text = '' }) => `${subject}\n${text}`.split('\n'))
}

/** Returns the names of the mails; there is no folder before the first. */
function filesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Names and addresses, which are the same in every language. */
const SAME = /Acme Panel|https?:\/\/\S+/g
const isWords = (line: string): boolean => line.replaceAll(SAME, '').trim() !== ''

describe('the mails of the reference panel', { timeout: 60_000 }, () => {
  it('have no line of English in another language', async () => {
    const english = new Set((await linesIn('en')).filter(isWords))
    expect(english.size).toBeGreaterThan(10)
    for (const language of ['ar', 'de', 'fr']) {
      const lines = await linesIn(language)
      expect(lines.filter((line) => english.has(line))).toEqual([])
      if (language === 'ar') expect(lines.join('\n').replaceAll(SAME, '')).not.toMatch(/[a-z]{4}/)
    }
  })
})
