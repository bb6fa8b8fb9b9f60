import { describe, expect, it } from 'vitest'
import { unread } from '../support/bell-stream.ts'
import type { Browser } from '../support/browser.ts'
import {
  ownEnvironment,
  sharedEnvironment,
  startHostNode,
  startPanelNode,
  type Reached,
} from '../support/nodes.ts'
import { PANEL_CONFIG, type Environment } from '../support/panel.ts'
import { USER } from '../support/paths.ts'
import { redisOfTest } from '../support/redis.ts'
import { sendCode } from '../support/second-factor.ts'
import { svc, type Ran } from '../support/svc.ts'
import { enrolTrusting, logInRemembered, TRUSTED } from '../support/trusted-devices.ts'
import { configOf } from './command.ts'
import { EXPIRED, GUEST, verdict } from '../support/verdicts.ts'

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
const COMMAND = ['--json', 'session', 'revoke-everyone']

/** A panel that runs, and the command on its stores. */
interface Place {
  readonly start: () => Promise<{ readonly node: Reached; readonly environment: Environment }>
  readonly config: string
  /** Another process can end a stream of the panel. */
  readonly hasBus: boolean
}

const places: Readonly<Record<string, Place>> = {
  SQLite: {
    async start() {
      const environment = {
        ...ownEnvironment(),
        APP_KEY: 'a key of the tests and of this file only',
      }
      return { node: await startPanelNode(environment), environment }
    },
    config: PANEL_CONFIG,
    hasBus: false,
  },
  PostgreSQL: {
    async start() {
      const environment = await sharedEnvironment('PostgreSQL')
      return { node: await startPanelNode(environment), environment }
    },
    config: PANEL_CONFIG,
    hasBus: true,
  },
  'PostgreSQL and Redis': {
    async start() {
      // The command would end the sessions of other tests in a Redis that they share.
      const { url: redisUrl } = await redisOfTest()
      const environment = await sharedEnvironment('PostgreSQL and Redis', { redisUrl })
      return { node: await startPanelNode(environment), environment }
    },
    config: PANEL_CONFIG,
    hasBus: true,
  },
  MySQL: {
    async start() {
      const environment = await sharedEnvironment('MySQL')
      return { node: await startHostNode(environment), environment }
    },
    config: configOf('mysql-panel-host.mjs'),
    hasBus: true,
  },
}

/** Everything that a user can be logged in by. */
async function everyKind(node: Reached) {
  const [plain, remembered, owing] = [node.browser(), node.browser(), node.browser()]
  const {
    browser: trusting,
    codes: [spare],
  } = await enrolTrusting(node.browser(), ADA)
  expect((await owing.logIn(ADA)).json.two_factor).toBe(true)
  await plain.logIn(BEA)
  await logInRemembered(remembered, { email: BEA })
  return { trusting, spare, plain, remembered, owing }
}

/** Returns whether a login of Ada in a new browser with this cookie asks for a code. */
async function isAskedForCode(node: Reached, from: Browser): Promise<boolean> {
  const browser = node.browser()
  browser.setCookie(TRUSTED, from.cookie(TRUSTED))
  return (await browser.logIn(ADA)).json.two_factor
}

describe.each(Object.entries(places))(
  'svc session revoke-everyone on %s',
  { timeout: 120_000 },
  (_name, { start, config, hasBus }) => {
    const run = async (environment: Environment, ...args: readonly string[]): Promise<Ran> =>
      svc(['--config', config, ...COMMAND, ...args], { env: environment })

    it('ends sessions, remembered sessions, pending logins and trusted devices of all users', async () => {
      const { node, environment } = await start()
      const { trusting, spare, plain, remembered, owing } = await everyKind(node)
      expect(await isAskedForCode(node, trusting)).toBe(false)
      const { code, stdout, stderr } = await run(environment, '--yes')
      expect([code, stderr]).toEqual([0, expect.anything()])
      expect(JSON.parse(stdout).ended).toBeGreaterThanOrEqual(6)
      for (const browser of [trusting, plain, remembered])
        expect(verdict(await browser.get(USER))).toBe(GUEST)
      expect(verdict(await sendCode(owing, spare))).toBe(EXPIRED)
      expect(await isAskedForCode(node, trusting)).toBe(true)
      expect((await plain.logIn(BEA)).status).toBe(200)
      expect((await plain.get(USER)).json.email).toBe(BEA)
    })

    it.runIf(hasBus)('ends open streams of all users within a second', async () => {
      const { node, environment } = await start()
      const people = await Promise.all(
        [ADA, BEA].map(async (email) => {
          const browser = node.browser()
          await browser.logIn(email)
          const stream = await node.stream(browser)
          expect(await stream.next()).toEqual(unread(email === BEA ? 30 : 0))
          return stream
        }),
      )
      const ends = Promise.all(people.map(async (stream) => stream.rest().then(() => Date.now())))
      await run(environment, '--yes')
      const done = Date.now()
      for (const endedAt of await ends) expect(endedAt - done).toBeLessThan(1000)
    })
  },
)
