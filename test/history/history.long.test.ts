import { randomInt } from 'node:crypto'
import type { Stores } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshAddress, PASSWORD } from '../support/browser.ts'
import { places, sharedEnvironment, startHostNode, type HostNode } from '../support/nodes.ts'
import { USER } from '../support/paths.ts'
import { UNLIMITED } from '../support/second-factor.ts'
import { CHEAP } from '../support/service.ts'
import { tally } from '../support/verdicts.ts'
import { brokenPromises, type Bell, type Event } from './checker.ts'
import { clientsOf } from './clients.ts'
import { randomFrom } from './random.ts'

/*
 * Clients that ask two nodes for everything at once, in an order that nobody has thought of; what they were
 * answered must have a meaning. HISTORY_SEED picks the same again, as far as the machine is as fast.
 */

const MAX_GUESSES = 5
const CLIENTS = 8
const LASTS_MS = 12_000
/** A machine that is slow gets more time for the answers that are wanted. */
const LASTS_AT_MOST_MS = 60_000
/** The minimum number of each answer that makes a history worth checking. */
const AT_LEAST = 4
const ANSWERS = [
  'login ok',
  'login failed',
  'login throttled',
  'use ok',
  'use guest',
  'logout',
  'enable enabled',
  'enable refused',
  'notify',
]

/** The types of the entries that nobody sends: about a locked address, and a login at a new place. */
const UNASKED = new Set(['security', 'svc.login.unknown-place'])

const seed = Number(process.env['HISTORY_SEED'] ?? randomInt(2 ** 31))
const config = {
  passwords: CHEAP,
  limits: {
    ...UNLIMITED.limits,
    'login.failed': { max: MAX_GUESSES, window_seconds: 3600 },
    'login.failed.account': { max: 100_000, window_seconds: 3600 },
    'login.failed.place': { max: 100_000, window_seconds: 3600 },
  },
}

describe('Answers of two nodes to their clients', () => {
  it.each([...places, 'MySQL'] as const)(
    `violate no rule under concurrent requests (seed ${seed}): on %s`,
    async (place) => {
      const environment = await sharedEnvironment(place)
      const nodes = [
        await startHostNode(environment, { config }),
        await startHostNode(environment, { config }),
      ] as const
      const accounts = ['una', 'duo', 'tria'].map((name) => `${name}@example.com`)
      // Each is known at one address, so that the last login adds nothing to a bell.
      const home = freshAddress()
      for (const account of accounts) {
        await nodes[0].enrol(account, PASSWORD)
        await nodes[0].browser({ address: home }).logIn(account)
      }
      const { events, act } = clientsOf(nodes, accounts, randomFrom(seed))
      const began = performance.now()
      const isOver = (): boolean => {
        const lasts = performance.now() - began
        return lasts > LASTS_AT_MOST_MS || (lasts > LASTS_MS && rare(events).length === 0)
      }
      const client = async (): Promise<void> => {
        while (!isOver()) await act()
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))

      const stores = await (place === 'MySQL'
        ? mysqlStores(environment['MYSQL_URL'] ?? '')
        : postgresStores(environment['DATABASE_URL'] ?? ''))
      onTestFinished(async () => stores.close())
      const bells: Bell[] = []
      for (const account of accounts) bells.push(await bellOf({ account, home }, nodes, stores))
      expect(brokenPromises({ events, bells, maxGuesses: MAX_GUESSES })).toEqual([])
      console.info(tally(events.map(nameOf)))
      expect(rare(events)).toEqual([])
    },
    180_000,
  )
})

/** Answers that were not given often enough to be worth checking. */
function rare(events: readonly Event[]): readonly string[] {
  const answered = tally(events.map(nameOf))
  return ANSWERS.filter((answer) => (answered[answer] ?? 0) < AT_LEAST)
}

const nameOf = (event: Event): string =>
  'outcome' in event ? `${event.kind} ${event.outcome}` : event.kind

async function bellOf(
  { account, home }: { readonly account: string; readonly home: string },
  nodes: readonly HostNode[],
  { notifications }: Stores,
): Promise<Bell> {
  const unreadCounts: number[] = []
  let userId = ''
  for (const node of nodes) {
    const browser = node.browser({ address: home })
    await browser.logIn(account)
    userId = (await browser.get(USER)).json.id
    unreadCounts.push((await browser.get('/svc/api/notifications/unread-count')).json.unread_count)
  }
  const entries = await notifications.latest({ tenant: null, userId }, 100_000)
  const unread = entries.filter(({ readAt }) => readAt === null).length
  const confirmed = entries.filter(({ type }) => !UNASKED.has(type))
  return { account, unreadCounts, unread, entries: confirmed.length }
}
