import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Secret, TOTP } from 'otpauth'
import { expect, vi } from 'vitest'
import { browserAt, type Browser } from '../support/browser.ts'
import { newApplication, type GuideApplication, type GuideSettings } from '../support/guide.ts'
import { CODE_STEP, USER } from '../support/paths.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'

/** Reads a database of another system. */
export function dumpOf(name: string): string {
  return readFileSync(`test/moving/dumps/${name}.sql`, 'utf8')
}

/** Follows the guide from a system, and starts its server. */
export async function followGuide(name: string, settings: GuideSettings) {
  const env = { PANEL_KEY: 'a key of the tests of 32 characters or more', ...settings.env }
  const application = await newApplication({ ...settings, env })
  const page = readFileSync(`docs/moving/${name}.md`, 'utf8')
  const [guide = '', afterwards = ''] = page.split(/^## When .* logs nobody in any more$/m)
  await application.follow(readFileSync('docs/moving.md', 'utf8'))
  await application.follow(guide)
  await application.start()
  return {
    ...application,
    /** Follows the rest of the page, for the time without the old system. */
    async finish() {
      await application.follow(afterwards)
      await application.start()
    },
  }
}

/** Loads a dump of a system into an empty PostgreSQL, and follows the system's guide there. */
export async function followOnPostgres(
  name: string,
  env: Readonly<Record<string, string>> = {},
  dump = name,
): Promise<{ readonly url: string; readonly application: MovedApplication }> {
  const url = await emptyPostgres()
  const runSql = async (sql: string) => admin(url, sql)
  await runSql(dumpOf(dump))
  return {
    url,
    application: await followGuide(name, { env: { ...env, DATABASE_URL: url }, runSql }),
  }
}

/** An application that was moved from another system. */
export type MovedApplication = Awaited<ReturnType<typeof followGuide>>

/** Returns the code that an app shows now, or some steps of 30 seconds from now. */
export function codeFor(secret: string | Secret, { steps = 0, now = Date.now() } = {}): string {
  const key = typeof secret === 'string' ? Secret.fromBase32(secret) : secret
  return new TOTP({ secret: key }).generate({ timestamp: now + steps * 30_000 })
}

/** Opens a browser, and logs a user in by the password of the tests. */
export async function logIn({ url }: GuideApplication, email: string) {
  // A busy machine answers 503 while it cannot hash in time. Each browser has limits of its own.
  const tryOnce = async () => {
    const browser = browserAt(url)
    const answer = await browser.logIn(email)
    expect(answer).toMatchObject({ status: 200 })
    return { browser, isCodeDue: answer.json.two_factor as boolean }
  }
  return vi.waitFor(tryOnce, { timeout: 25_000, interval: 1000 })
}

/** Sends the password of the tests. @returns the status of the refusal. */
export async function refusedLogin({ url }: GuideApplication, email: string): Promise<number> {
  const tryOnce = async () => {
    const { status } = await browserAt(url).logIn(email)
    expect(status).not.toBe(503)
    return status
  }
  return vi.waitFor(tryOnce, { timeout: 25_000, interval: 1000 })
}

/** Logs a user in who has a second factor, and enters a code. @returns the answer to the code. */
export async function logInWithCode(
  application: GuideApplication,
  email: string,
  code: string,
): Promise<{ readonly browser: Browser; readonly status: number }> {
  const { browser, isCodeDue } = await logIn(application, email)
  expect(isCodeDue).toBe(true)
  const { status } = await browser.post(CODE_STEP, { code })
  return { browser, status }
}

/** Waits until the service logs the next failure: it logs one a second. */
export async function untilNextLine(): Promise<void> {
  await setTimeout(1100)
}

/** Returns whom a browser is logged in as; `null` for a guest. */
export async function userOf(browser: Browser): Promise<string | null> {
  const { status, json } = await browser.get(USER)
  return status === 200 ? (json.email as string) : null
}

/** Imports a file that a guide has written. */
export async function importFrom<Exports>({ cwd }: GuideApplication, file: string) {
  // The caller knows what the page exports.
  return (await import(/* @vite-ignore */ pathToFileURL(join(cwd, file)).href)) as Exports
}
