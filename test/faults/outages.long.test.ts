import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshAddress, PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import {
  sharedEnvironment,
  startHostNode,
  startPanelNode,
  type Place,
  type Reached,
} from '../support/nodes.ts'
import { LOGIN, CODE_STEP, CONFIRM, SETUP, USER } from '../support/paths.ts'
import { sendCode, setUp } from '../support/second-factor.ts'
import { verdict } from '../support/verdicts.ts'
import {
  breakableMariadb,
  breakablePostgres,
  breakableRedis,
  outages,
  type BreakableDatabase,
  type BreakableServer,
} from './servers.ts'

/*
 * Servers that are stopped for real, as whoever looks after them meets it; test/stores holds every method of the
 * stores to the same. The program is one, from before the outage to after it.
 */

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
const BELL = '/svc/api/notifications'
const SOON_MS = 2000

describe('A server that stops answering', () => {
  let postgres: BreakableDatabase
  let mariadb: BreakableDatabase
  let redis: BreakableServer
  const ends: (() => Promise<void>)[] = []

  beforeAll(async () => {
    postgres = await breakablePostgres()
    ends.push(async () => postgres.stop())
    mariadb = await breakableMariadb()
    ends.push(async () => mariadb.stop())
    redis = await breakableRedis()
    ends.push(async () => redis.stop())
  }, 60_000)
  afterAll(async () => {
    for (const end of ends) await end()
  })

  async function startPanel(place: Place): Promise<Reached> {
    if (place === 'MySQL') {
      const mysqlUrl = await mariadb.emptyDatabase()
      return startHostNode(await sharedEnvironment(place, { mysqlUrl }))
    }
    const databaseUrl = await postgres.emptyDatabase()
    return startPanelNode(await sharedEnvironment(place, { databaseUrl, redisUrl: redis.url }))
  }

  const cases = [
    ['PostgreSQL', 'PostgreSQL'],
    ['PostgreSQL', 'PostgreSQL and Redis'],
    ['Redis', 'PostgreSQL and Redis'],
    ['MySQL', 'MySQL'],
  ] as const

  describe.each(cases)('%s, of a panel on %s', (broken, place) => {
    it.each(outages)(
      'makes requests that need it 503 within two seconds, and logs nobody out, when it %s',
      async (outage) => {
        const server = { Redis: redis, PostgreSQL: postgres, MySQL: mariadb }[broken]
        const panel = await startPanel(place)
        const people = await manyStates(panel)
        await server.begin(outage)
        try {
          const endsSessions = broken !== 'PostgreSQL' || place === 'PostgreSQL'
          await expectUnavailable(people, { endsSessions })
          // Not only on connections that broke, but where none can be opened.
          await expectUnavailable(people, { endsSessions })
        } finally {
          await server.end(outage)
        }
        await expect.poll(async () => health(panel), { timeout: 20_000 }).toBe(200)
        await expectNothingLost(panel, people)
      },
      120_000,
    )
  })
})

const health = async (panel: Reached) => (await panel.browser().get('/healthz')).status

/** A guest, one who owes a code, one who is in, and one who is about to leave. */
interface People {
  readonly guest: Browser
  readonly owing: Browser
  readonly code: string
  readonly inside: Browser
  readonly leaving: Browser
}

async function manyStates(panel: Reached): Promise<People> {
  // One address, which is known once Bea is in, so that no later login is in her bell.
  const address = freshAddress()
  const browser = (): Browser => panel.browser({ address })
  const ada = await loggedIn(browser(), ADA)
  const code = new TOTP({ secret: await setUp(ada) }).generate()
  const { recovery_codes: codes } = (await ada.post(CONFIRM, { code })).json
  const [guest, owing] = [browser(), browser()]
  await guest.get('/svc/api/csrf-cookie')
  expect((await owing.logIn(ADA)).json.two_factor).toBe(true)
  const [inside, leaving] = [await loggedIn(browser()), await loggedIn(browser())]
  return { guest, owing, code: codes[0], inside, leaving }
}

async function loggedIn(browser: Browser, email = BEA): Promise<Browser> {
  expect((await browser.logIn(email)).json).toEqual({ two_factor: false })
  return browser
}

/** Expects 503 of all requests that need the users and the session, sent at once. */
async function expectUnavailable(
  { guest, owing, code, inside, leaving }: People,
  { endsSessions }: { readonly endsSessions: boolean },
): Promise<void> {
  const requests: Readonly<Record<string, () => Promise<Answer>>> = {
    login: async () => guest.post(LOGIN, { email: BEA, password: PASSWORD }),
    code: async () => owing.post(CODE_STEP, { code }),
    user: async () => inside.get(USER),
    'set-up': async () => inside.post(SETUP),
    bell: async () => inside.get(BELL),
    marking: async () => inside.post(`${BELL}/read-all`),
    'a route of the host': async () => inside.get('/api/people'),
    health: async () => guest.get('/healthz'),
    ...(endsSessions && { logout: async () => leaving.post('/svc/api/logout') }),
  }
  const answers = Object.entries(requests).map(async ([name, send]) => {
    const since = performance.now()
    const { status, headers } = await send()
    const took = performance.now() - since
    return {
      name,
      status,
      setCookie: headers['set-cookie'] ?? null,
      late: took < SOON_MS ? null : took,
    }
  })
  expect(await Promise.all(answers)).toEqual(
    Object.keys(requests).map((name) => ({ name, status: 503, setCookie: null, late: null })),
  )
}

/** Everybody goes on where they were, with the cookies that they had. */
async function expectNothingLost(panel: Reached, people: People): Promise<void> {
  const { guest, owing, code, inside } = people
  expect((await inside.get(USER)).json.email).toBe(BEA)
  expect(verdict(await sendCode(owing, code))).toBe('ok')
  expect((await owing.get(USER)).json.email).toBe(ADA)
  expect((await guest.post(LOGIN, { email: BEA, password: PASSWORD })).status).toBe(200)
  const stream = await panel.stream(inside)
  expect((await stream.next())?.data.unread_count).toBe(30)
  await inside.post(`${BELL}/read-all`)
  expect((await stream.next())?.data.unread_count).toBe(0)
}
