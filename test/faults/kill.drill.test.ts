import { setTimeout as pause } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../support/browser.ts'
import {
  places,
  sharedEnvironment,
  startHostNode,
  type HostNode,
  type Reached,
} from '../support/nodes.ts'
import { CONFIRM, USER } from '../support/paths.ts'
import { admin } from '../support/postgres.ts'
import { sendCode, setUp, UNLIMITED } from '../support/second-factor.ts'
import { CHEAP } from '../support/service.ts'
import { verdict } from '../support/verdicts.ts'
import { guessesLeft, startLoad } from './load.ts'

const BELL = '/svc/api/notifications'
const FAILED_LOGINS = { max: 5, window_seconds: 3600 }
const config = {
  passwords: CHEAP,
  limits: { ...UNLIMITED.limits, 'login.failed': FAILED_LOGINS },
} as const

const ROUNDS = 3
/** So much is confirmed of everything before the node is killed. */
const ENOUGH = 5

describe('A node that is killed with -9', () => {
  it.each(places)(
    'loses nothing that it had confirmed, and the other node goes on: on %s',
    async (place) => {
      const environment = await sharedEnvironment(place)
      const survivor = await startHostNode(environment, { config })
      for (let round = 1; round <= ROUNDS; round += 1) {
        const email = `round-${round}@example.com`
        await survivor.enrol(email, PASSWORD)
        const bystander = await loggedIn(survivor, email)
        const victim = await startHostNode(environment, { config })
        const device = bystander.cookie('svc_device')
        const { sessions, entries, guessers, over } = startLoad(victim, { email, device })
        const confirmed = () => Math.min(sessions.length, entries.length, guessers.length)
        const steady = keepAsking(bystander)
        await expect.poll(confirmed, { timeout: 60_000 }).toBeGreaterThan(ENOUGH)
        await victim.kill()
        await over
        await expectAllThere(survivor, sessions)
        expect(await steady.stop()).toEqual([200])

        const stored = await titlesIn(environment['DATABASE_URL'] ?? '', email)
        expect(entries.filter((title) => !stored.includes(title))).toEqual([])
        expect((await bystander.get(BELL)).json.unread_count).toBe(stored.length)

        for (const guesser of guessers) {
          const left = await guessesLeft(survivor, guesser)
          // What was sent and not answered may have been counted.
          expect(left).toBeLessThanOrEqual(FAILED_LOGINS.max - guesser.refused)
          expect(left).toBeGreaterThanOrEqual(FAILED_LOGINS.max - guesser.sent)
        }
      }
    },
    180_000,
  )

  it.each(places)(
    'OPS-16: leaves the second factor enabled or not, and the user able to log in, during a confirmation: on %s',
    async (place) => {
      const environment = await sharedEnvironment(place)
      const survivor = await startHostNode(environment, { config })
      for (const afterMs of [0, 5, 20]) {
        const email = `after-${afterMs}@example.com`
        await survivor.enrol(email, PASSWORD)
        const victim = await startHostNode(environment, { config })
        const person = await loggedIn(victim, email)
        const secret = await setUp(person)
        const code = new TOTP({ secret }).generate()
        const confirming = person.post(CONFIRM, { code }).catch(() => null)
        await pause(afterMs)
        await victim.kill()
        await confirming
        await expectWayIn(survivor, email, secret)
      }
    },
    300_000,
  )
})

async function loggedIn(node: Reached, email: string): Promise<Browser> {
  const browser = node.browser()
  expect((await browser.logIn(email)).json).toEqual({ two_factor: false })
  return browser
}

/** Asks for the user again and again. */
function keepAsking(browser: Browser) {
  const statuses = new Set<number>()
  const state = { over: false }
  const asking = (async () => {
    while (!state.over) statuses.add((await browser.get(USER)).status)
  })()
  return {
    /** @returns the different statuses that were answered. */
    async stop() {
      state.over = true
      await asking
      return [...statuses]
    },
  }
}

async function expectAllThere(node: Reached, sessions: readonly Browser[]): Promise<void> {
  const answers = await Promise.all(sessions.map(async (one) => node.meet(one).get(USER)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
}

async function titlesIn(databaseUrl: string, email: string): Promise<readonly unknown[]> {
  const rows = await admin(databaseUrl, 'SELECT title FROM svc_notifications')
  return rows.flat().filter((title) => String(title).startsWith(`${email} `))
}

/** With the code where it is enabled, and where it is not it can be enabled again. */
async function expectWayIn(node: HostNode, email: string, secret: string): Promise<void> {
  const browser = node.browser()
  const { json } = await browser.logIn(email)
  // The code of the set-up may be used up, and a clock half a minute ahead.
  const next = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
  if (json.two_factor === true) expect(verdict(await sendCode(browser, next))).toBe('ok')
  else await enableAgain(browser)
  expect((await browser.get(USER)).json.email).toBe(email)
}

/** The killed node may have held the turn of this user, which lapses after 60 seconds. */
async function enableAgain(browser: Browser): Promise<void> {
  const secret = await setUp(browser)
  const confirm = async () => {
    const { status } = await browser.post(CONFIRM, { code: new TOTP({ secret }).generate() })
    return status
  }
  await expect.poll(confirm, { timeout: 75_000, interval: 500 }).toBe(200)
}
