import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migratePostgres } from '@svc/auth/postgres'
import { startPostgres } from '../../scripts/postgres.mjs'
import { ensurePrograms } from '../../scripts/programs.mjs'
import { PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import { ownEnvironment, startPanelNode, type PanelNode } from '../support/nodes.ts'
import { temporaryFolder, type Environment } from '../support/panel.ts'
import { NEW_PASSWORD, tokenIn } from '../support/passwords.ts'
import { FORGOT, LOGOUT, RESET, TRUSTED_DEVICES, USER } from '../support/paths.ts'
import { admin } from '../support/postgres.ts'
import { sendCode } from '../support/second-factor.ts'
import { enrolTrusting, TRUSTED, type TrustingPerson } from '../support/trusted-devices.ts'
import { GUEST, verdict, WRONG_CODE } from '../support/verdicts.ts'
import { blocksOf, runBlock } from './runbook.ts'

ensurePrograms(['sqlite3', 'pgDump'])

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
const LINK_INVALID = '422 password_link_invalid'
/** A code is accepted one step of 30 seconds early or late. */
const CODE_LASTS_MS = 90_000

/** Those of MySQL have a drill of their own. */
const [backUpSqlite, backUpPostgres, restoreSqlite, restorePostgres, afterwards, sinceThen] =
  blocksOf('Restore from a backup').filter((block) => !/^mysql/m.test(block))

interface Place {
  readonly environment: () => Promise<Environment>
  readonly backUp: string | undefined
  readonly restore: string | undefined
}

const places: Readonly<Record<string, Place>> = {
  SQLite: {
    async environment() {
      const own = ownEnvironment()
      return { ...own, FILE: join(own['SVC_DATA'] ?? '', 'panel.sqlite') }
    },
    backUp: backUpSqlite,
    restore: restoreSqlite,
  },
  PostgreSQL: {
    async environment() {
      const server = await startPostgres({ isInstalled: true })
      onTestFinished(server.stop)
      return { ...ownEnvironment(), DATABASE_URL: server.url }
    },
    backUp: backUpPostgres,
    restore: restorePostgres,
  },
}

describe.each(Object.entries(places))(
  'The runbook restores a backup of %s, and',
  { timeout: 300_000 },
  (_name, { environment: prepare, backUp, restore }) => {
    it('brings nothing back to life that was ended or used since, but what it names', async () => {
      const folder = temporaryFolder()
      const environment: Environment = {
        ...(await prepare()),
        APP_KEY: 'a key of the tests and of this drill only',
        BACKUP: join(folder, 'backup'),
        LOG: join(folder, 'panel.log'),
        SINCE: '',
      }
      const run = async (block = '', more: Environment = {}) => {
        const ran = await runBlock(block, { ...environment, ...more })
        expect(ran, block).toMatchObject({ code: 0 })
        return ran.stdout
      }
      const node = await startPanelNode(environment)
      const before = await peopleOf(node)
      const stopRequests = keepAsking(node)
      await run(backUp)
      await stopRequests()
      const since = new Date().toISOString()
      const used = await goOn(node, before)
      writeFileSync(environment['LOG'] ?? '', node.stdout())
      await node.end('SIGTERM')

      mkdirSync(join(folder, 'cwd'))
      await run(`cd ${join(folder, 'cwd')}\n${restore}`)
      await run(afterwards)
      const restored = await startPanelNode(environment)
      const at = (browser: Browser): Browser => restored.meet(browser)
      for (const browser of [before.ada.browser, before.stays, before.leaves, ...used.browsers])
        expect(verdict(await at(browser).get(USER))).toBe(GUEST)
      expect(await isAskedForCode(restored, used.trusted)).toBe(true)
      expect(verdict(await reset(restored, before.token))).toBe(LINK_INVALID)
      await setTimeout(Math.max(0, used.codeAt + CODE_LASTS_MS - Date.now()))
      expect(verdict(await enterCode(restored, used.code))).toBe(WRONG_CODE)

      // No command repairs this, as the page says.
      expect(verdict(await enterCode(restored, used.recovery))).toBe('ok')
      expect(verdict(await enterCode(restored, used.recovery))).toBe(WRONG_CODE)
      expect((await restored.browser().logIn(BEA, NEW_PASSWORD)).status).toBe(422)
      expect((await restored.browser().logIn(BEA)).status).toBe(200)
      const changed = await run(sinceThen, { SINCE: since })
      expect(changed.trim().split('\n')).toEqual([
        expect.stringMatching(/"event":"password\.reset"/),
      ])
    })
  },
)

it('The runbook restores a backup of PostgreSQL from before a migration', async () => {
  const environment: Environment = {
    ...(await places['PostgreSQL']?.environment()),
    APP_KEY: 'a key of the tests and of this drill only',
    BACKUP: join(temporaryFolder(), 'backup'),
  }
  const url = environment['DATABASE_URL'] ?? ''
  const { to } = await migratePostgres(url)
  await admin(url, `DROP TABLE svc_activity; DELETE FROM svc_schema WHERE version = ${to}`)
  for (const block of [backUpPostgres, 'npx svc migrate', restorePostgres, afterwards]) {
    const { code, stderr } = await runBlock(block ?? '', environment)
    expect(code, `${block} ${stderr}`).toBe(0)
  }
  expect(await migratePostgres(url)).toEqual({ from: to, to })
}, 120_000)

/** The state that the backup has. */
interface Before {
  readonly ada: TrustingPerson
  readonly stays: Browser
  readonly leaves: Browser
  /** Of a link to a new password of Bea. */
  readonly token: string
}

async function peopleOf(node: PanelNode): Promise<Before> {
  const ada = await enrolTrusting(node.browser(), ADA)
  const [stays, leaves] = [node.browser(), node.browser()]
  for (const browser of [stays, leaves]) expect((await browser.logIn(BEA)).status).toBe(200)
  const guest = node.browser()
  await guest.get('/svc/api/csrf-cookie')
  expect((await guest.post(FORGOT, { email: BEA })).status).toBe(202)
  const link = await expect
    .poll(() => /its link: (\S+reset-password\S+)/.exec(node.stdout())?.[1], { timeout: 10_000 })
    .toBeDefined()
    .then(() => /its link: (\S+reset-password\S+)/.exec(node.stdout())?.[1] ?? '')
  return { ada, stays, leaves, token: tokenIn(link) }
}

/** Logs people in and reads, until it is stopped. */
function keepAsking(node: PanelNode): () => Promise<void> {
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      const browser = node.browser()
      expect((await browser.logIn(BEA)).status).toBe(200)
      expect((await browser.get(USER)).status).toBe(200)
    }
  })()
  asking.catch(() => undefined)
  return async () => {
    over.abort()
    await asking
  }
}

/** Ends and uses what the backup has. */
async function goOn(node: PanelNode, { ada, stays, leaves, token }: Before) {
  const codeAt = Date.now()
  // The next one, as the set-up has used the present one.
  const code = new TOTP({ secret: ada.secret }).generate({ timestamp: codeAt + 30_000 })
  const browsers = [await enteringCode(node, code), await enteringCode(node, ada.codes[0])]
  expect((await leaves.post(LOGOUT)).status).toBe(204)
  const trusted = ada.browser.cookie(TRUSTED)
  const { data } = (await ada.browser.get(TRUSTED_DEVICES)).json
  expect((await ada.browser.send('DELETE', `${TRUSTED_DEVICES}/${data[0].id}`)).status).toBe(204)
  expect(verdict(await reset(node, token))).toBe('ok')
  expect(verdict(await stays.get(USER))).toBe(GUEST)
  return { browsers, code, codeAt: codeAt + 30_000, recovery: ada.codes[0], trusted }
}

async function enteringCode(node: PanelNode, code: unknown): Promise<Browser> {
  const browser = node.browser()
  expect((await browser.logIn(ADA)).json.two_factor).toBe(true)
  expect(verdict(await sendCode(browser, code))).toBe('ok')
  return browser
}

async function enterCode(node: PanelNode, code: unknown): Promise<Answer> {
  const browser = node.browser()
  expect((await browser.logIn(ADA)).json.two_factor).toBe(true)
  return sendCode(browser, code)
}

async function isAskedForCode(node: PanelNode, trusted: string | null): Promise<boolean> {
  const browser = node.browser()
  browser.setCookie(TRUSTED, trusted)
  return (await browser.logIn(ADA, PASSWORD)).json.two_factor
}

async function reset(node: PanelNode, token: string): Promise<Answer> {
  const browser = node.browser()
  await browser.get('/svc/api/csrf-cookie')
  return browser.post(RESET, { token, password: NEW_PASSWORD })
}
