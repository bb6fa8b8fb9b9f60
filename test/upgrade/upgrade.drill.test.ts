import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from '@svc/auth'
import { migrateMysql } from '@svc/auth/mysql'
import { migratePostgres } from '@svc/auth/postgres'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { isGone } from '../faults/load.ts'
import { PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { BELL, CODE_STEP, CONFIRM, FORGOT, RESET, SETUP, USER } from '../support/paths.ts'
import { NEW_PASSWORD } from '../support/passwords.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { freshPrefix } from '../support/redis.ts'
import { startNode, type UpgradeNode } from './nodes.ts'
import { buildVersionBefore } from './version-before.ts'

const PEOPLE = ['ada', 'bea', 'cem', 'dua'] as const
const TABLE = `create table people (
  id integer primary key, email varchar(200) not null unique, name text not null, password_hash text not null)`
const MIXED_MS = 2000

let before = ''
beforeAll(() => {
  before = buildVersionBefore()
}, 600_000)

/** A database with people, and the migration of the new version. */
const databases = {
  async SQLite() {
    const file = join(mkdtempSync(join(tmpdir(), 'upgrade-')), 'panel.db')
    const handle = openSqlite(file)
    for (const sql of await people()) handle.exec(sql)
    handle.close()
    return { database: file, migrate: async () => sqliteStores(file).close(), redis: [] }
  },
  PostgreSQL: async () => onPostgres([]),
  async MySQL() {
    const database = await emptyMysql()
    await mysqlAdmin(database, (await people()).join(';'))
    return { database, migrate: async () => migrateMysql(database), redis: [] }
  },
  'PostgreSQL and Redis': async () => onPostgres([inject('redisUrl'), freshPrefix()]),
}

async function onPostgres(redis: readonly string[]) {
  const database = await emptyPostgres()
  await admin(database, (await people()).join(';'))
  return { database, migrate: async () => migratePostgres(database), redis }
}

async function people(): Promise<readonly string[]> {
  const hash = await hashPassword(PASSWORD, { memoryKiB: 64, passes: 1 })
  const rows = PEOPLE.map(
    (name, id) => `insert into people values (${id}, '${emailOf(name)}', '${name}', '${hash}')`,
  )
  return [TABLE, ...rows]
}

describe.each(Object.entries(databases))(
  'An upgrade by one version on %s',
  (_name, makeDatabase) => {
    it(
      'loses no request, session, login, code, link or entry, nor does its rollback',
      { timeout: 300_000 },
      async () => {
        const { database, migrate, redis } = await makeDatabase()
        const start = {
          old: async () => startNode(before, database, redis),
          fresh: async () => startNode('.', database, redis),
        }
        const nodes = [await start.old(), await start.old()]
        const load = startLoad(nodes, await sessionsAt(nodes[0]))

        await migrate()
        const [old, fresh] = [nodes[0], await start.fresh()]
        if (old === undefined) throw new Error('there is no node')
        nodes.push(fresh)
        await enrolAcross(old, fresh, 'bea')
        await enrolAcross(fresh, old, 'cem')
        await resetAcross(old, fresh, PASSWORD)
        await resetAcross(fresh, old, NEW_PASSWORD)
        await ringAcross(old, fresh)
        await ringAcross(fresh, old)
        await new Promise((resolve) => setTimeout(resolve, MIXED_MS))

        const ofNew = (await sessionsAt(fresh))[0]
        await replaceAll(nodes, start.fresh)
        await replaceAll(nodes, start.old)
        expect((await nodes[0]?.meet(ofNew).get(USER))?.status).toBe(200)
        const ofOld = (await sessionsAt(nodes[0]))[0]
        await replaceAll(nodes, start.fresh)
        expect((await nodes[0]?.meet(ofOld).get(USER))?.status).toBe(200)

        const { answered, statuses } = await load.stop()
        expect(answered).toBeGreaterThan(100)
        expect([...statuses]).toEqual([200])
      },
    )
  },
)

/** Replaces nodes one by one, each after its successor listens. */
async function replaceAll(nodes: UpgradeNode[], start: () => Promise<UpgradeNode>): Promise<void> {
  for (const left of nodes.slice()) {
    nodes.push(await start())
    nodes.shift()
    await left.stop()
  }
}

async function sessionsAt(node: UpgradeNode | undefined): Promise<readonly [Browser, Browser]> {
  if (node === undefined) throw new Error('there is no node')
  return [await loggedIn(node, 'ada'), await loggedIn(node, 'ada')]
}

async function loggedIn(node: UpgradeNode, name: string): Promise<Browser> {
  const browser = node.browser()
  expectStatus(await browser.logIn(emailOf(name)), 200)
  return browser
}

/** Reads and marks with the sessions, at one node after the other, until it is stopped. */
function startLoad(nodes: readonly UpgradeNode[], sessions: readonly Browser[]) {
  const state = { over: false, answered: 0 }
  const statuses = new Set<number>()
  const working = sessions.map(async (browser, at) => {
    for (let turn = at; !state.over; turn += 1) {
      statuses.add(await askSome([...nodes], turn, browser))
      state.answered += 1
    }
  })
  return {
    async stop() {
      state.over = true
      await Promise.all(working)
      return { answered: state.answered, statuses }
    },
  }
}

/** As a proxy does: it goes to the next node where one does not listen any more. */
async function askSome(
  nodes: readonly UpgradeNode[],
  turn: number,
  browser: Browser,
): Promise<number> {
  for (let at = 0; at < nodes.length; at += 1) {
    try {
      const node = nodes[(turn + at) % nodes.length]
      if (node !== undefined)
        return (await node.meet(browser).get(turn % 3 === 0 ? BELL : USER)).status
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  throw new Error('no node answers')
}

/** Sets a second factor up at one node and confirms it at the other; logs in at both, in two steps. */
async function enrolAcross(one: UpgradeNode, other: UpgradeNode, name: string): Promise<void> {
  const browser = await loggedIn(one, name)
  const { json } = expectStatus(await browser.post(SETUP), 200)
  const { secret }: { readonly secret: string } = json
  const code = new TOTP({ secret }).generate()
  const confirmed = expectStatus(await other.meet(browser).post(CONFIRM, { code }), 200)
  const { recovery_codes: codes }: { readonly recovery_codes: readonly string[] } = confirmed.json

  for (const [index, [first, second]] of [[one, other] as const, [other, one] as const].entries()) {
    const pending = first.browser()
    expect(expectStatus(await pending.logIn(emailOf(name)), 200).json).toMatchObject({
      two_factor: true,
    })
    const admitted = second.meet(pending)
    expectStatus(await admitted.post(CODE_STEP, { code: codes[index] }), 204)
    expectStatus(await first.meet(admitted).get(USER), 200)
  }
}

/** Asks for a link at one node and uses it at the other, which ends the session of the person. */
async function resetAcross(one: UpgradeNode, other: UpgradeNode, current: string): Promise<void> {
  const email = emailOf('dua')
  const session = one.browser()
  expectStatus(await session.logIn(email, current), 200)
  const guest = one.browser()
  await guest.get('/svc/api/csrf-cookie')
  expectStatus(await guest.post(FORGOT, { email }), 202)
  const token = await one.tokenFor(email)
  const password = current === PASSWORD ? NEW_PASSWORD : 'nine brown foxes read the papers'
  expectStatus(await other.meet(guest).post(RESET, { token, password }), 204)
  expectStatus(await one.meet(session).get(USER), 401)
  expectStatus(await one.browser().logIn(email, password), 200)
}

/** Sends an entry of the bell from one node, and reads it at the other. */
async function ringAcross(one: UpgradeNode, other: UpgradeNode): Promise<void> {
  const browser = await loggedIn(one, 'ada')
  const title = `entry ${Math.random()}`
  await one.notify(emailOf('ada'), title)
  expect((await other.meet(browser).get(BELL)).text).toContain(title)
}

function expectStatus(answer: Answer, status: number): Answer {
  expect(answer.status, answer.text).toBe(status)
  return answer
}

function emailOf(name: string): string {
  return `${name}@example.com`
}
