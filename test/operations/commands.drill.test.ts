import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { ensurePrograms } from '../../scripts/programs.mjs'
import type { Browser } from '../support/browser.ts'
import { attempt, visitor } from '../support/logins.ts'
import { ownEnvironment, sharedEnvironment, startPanelNode } from '../support/nodes.ts'
import { temporaryFolder, type Environment } from '../support/panel.ts'
import { NEW_PASSWORD } from '../support/passwords.ts'
import { USER } from '../support/paths.ts'
import { sendCode } from '../support/second-factor.ts'
import { enrolTrusting, TRUSTED } from '../support/trusted-devices.ts'
import { GUEST, UNAVAILABLE, verdict } from '../support/verdicts.ts'
import { blocksOf, runBlock, sectionsOf } from './runbook.ts'

ensurePrograms(['curl', 'pgDump'])

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
const OLD_KEY = 'the old key of the tests of this file that is lost'
const NEW_KEY = 'the new key of the tests of this file that is kept'

/** Sections whose commands the drills run, or that install a release. */
const DRILLED = new Set([
  'Restore from a backup',
  'Upgrade and rollback',
  'A lost key',
  'A leaked key',
  'A leaked database',
])
/** Ends with 1 when it finds nothing, or something wrong. */
const LOOKS = /\bgrep\b|^npx svc doctor/
/** Needs the machine of an operator. */
const OF_THE_MACHINE = /^(?:systemctl|timedatectl|vmstat)/
/** Runs on MariaDB in a drill of its own. */
const OF_MYSQL = /^mysql/

describe('The commands of the runbook', { timeout: 240_000 }, () => {
  it('run on a panel on PostgreSQL and Redis', async () => {
    const shared = await sharedEnvironment('PostgreSQL and Redis')
    const metricsPort = await freePort()
    const node = await startPanelNode({ ...shared, METRICS_PORT: String(metricsPort) })
    const environment: Environment = {
      ...shared,
      // `psql` takes no `+` for a space.
      DATABASE_URL: (shared['DATABASE_URL'] ?? '').replaceAll('+', '%20'),
      NODE: node.at.url,
      METRICS: `http://127.0.0.1:${metricsPort}`,
      URL: node.at.url,
      EMAIL: BEA,
      LOG: join(temporaryFolder(), 'panel.log'),
    }
    const lines = sectionsOf()
      .filter((title) => !DRILLED.has(title))
      .flatMap((title) => blocksOf(title).flatMap((block) => block.trim().split('\n')))
      .filter((line) => !OF_THE_MACHINE.test(line) && !OF_MYSQL.test(line))
    expect(lines.length).toBeGreaterThan(40)
    const failed: string[] = []
    for (const line of new Set(lines)) {
      const block = `touch "$LOG"\n${line}`
      const { code, stderr } = await runBlock(block, environment, NEW_PASSWORD)
      if (code !== 0 && !(code === 1 && LOOKS.test(line))) failed.push(`${line}: ${stderr}`)
    }
    expect(failed).toEqual([])
  })
})

/** A panel on a file, whose Ada has a second factor and a trusted browser, with the old key. */
async function startWithOldKey() {
  const own = ownEnvironment()
  const node = await startPanelNode({ ...own, APP_KEY: OLD_KEY })
  const ada = await enrolTrusting(node.browser(), ADA)
  return { node, ada, environment: { ...own, APP_KEY: NEW_KEY, EMAIL: ADA } }
}

async function owing(browser: Browser): Promise<Browser> {
  expect((await browser.logIn(ADA)).json.two_factor).toBe(true)
  return browser
}

async function run(block: string | undefined, environment: Environment): Promise<void> {
  expect(await runBlock(block ?? '', environment)).toMatchObject({ code: 0 })
}

describe('The runbook replaces', { timeout: 120_000 }, () => {
  it('a lost key: everybody logs in again, and recovery codes work until a reset', async () => {
    const { node, ada, environment } = await startWithOldKey()
    await node.end('SIGTERM')
    await expect(startPanelNode(environment)).rejects.toThrow('APP_KEY is not the key')
    const [replace, reset] = blocksOf('A lost key')
    await run(replace, environment)
    const next = await startPanelNode(environment)
    expect(verdict(await next.meet(ada.browser).get(USER))).toBe(GUEST)
    const code = new TOTP({ secret: ada.secret }).generate({ timestamp: Date.now() + 30_000 })
    expect(verdict(await sendCode(await owing(next.browser()), code))).toBe(UNAVAILABLE)
    expect(verdict(await sendCode(await owing(next.browser()), ada.codes[0]))).toBe('ok')
    await run(reset, environment)
    expect((await next.browser().logIn(ADA)).json.two_factor).toBe(false)
  })

  it('a leaked key: nothing that it signed is valid, and no second factor that it sealed is left', async () => {
    const { node, ada, environment } = await startWithOldKey()
    await node.end('SIGTERM')
    const [replace, resetAll] = blocksOf('A leaked key')
    await run(replace, environment)
    await expect(startPanelNode({ ...environment, APP_KEY: OLD_KEY })).rejects.toThrow('APP_KEY')
    const next = await startPanelNode(environment)
    expect(verdict(await next.meet(ada.browser).get(USER))).toBe(GUEST)
    await run(resetAll, environment)
    expect((await next.browser().logIn(ADA)).json.two_factor).toBe(false)
  })
})

describe('The runbook', { timeout: 120_000 }, () => {
  it('ends every session after a leaked database', async () => {
    const { node, ada, environment } = await startWithOldKey()
    const [block] = blocksOf('A leaked database')
    await run(block, { ...environment, APP_KEY: OLD_KEY })
    expect(verdict(await ada.browser.get(USER))).toBe(GUEST)
    const trusted = node.browser()
    trusted.setCookie(TRUSTED, ada.browser.cookie(TRUSTED))
    await owing(trusted)
  })

  it('lets an administrator in whom failed logins have locked out', async () => {
    const environment = { ...ownEnvironment(), APP_KEY: OLD_KEY, EMAIL: BEA }
    const node = await startPanelNode(environment)
    const guess = async () => attempt(await visitor(node), BEA)
    for (let made = 0; made < 100; made += 10) await Promise.all(Array.from({ length: 10 }, guess))
    expect((await node.browser().logIn(BEA)).status).toBe(422)
    const lines = (blocksOf('A locked-out administrator')[0] ?? '').split('\n')
    await run(
      lines.find((line) => line.includes('user unlock')),
      environment,
    )
    expect((await node.browser().logIn(BEA)).status).toBe(200)
  })
})
