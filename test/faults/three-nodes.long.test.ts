import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startMariadb } from '../../scripts/mariadb.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { stoppedAfterTest } from '../support/after-test.ts'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import {
  sharedEnvironment,
  startHostNode,
  startPanelNode,
  type HostNode,
  type PanelNode,
} from '../support/nodes.ts'
import type { Environment } from '../support/panel.ts'
import { admin } from '../support/postgres.ts'
import { redisOfTest } from '../support/redis.ts'
import { startThreeNodeLoad } from './invariants.ts'

/*
 * Faults of one node or of one server, while three nodes are used at once. What must hold is the same for all of them;
 * invariants.ts has it.
 */

const TITLE = 'log nobody out and accept nothing twice %s'

type Node = HostNode | PanelNode
type Nodes = Awaited<ReturnType<typeof threeNodes>>
/** The faults of a server or a node, by their titles. */
type Faults<Server> = Readonly<Record<string, (server: Server, nodes: readonly Node[]) => unknown>>
type Start = (environment: Environment) => Promise<Node>

async function threeNodes(start: Start, environment: Environment) {
  return [await start(environment), await start(environment), await start(environment)] as const
}

async function expectHeldDuring(nodes: Nodes, fault: () => unknown): Promise<void> {
  const load = await startThreeNodeLoad(nodes)
  await pause(1000)
  await fault()
  await load.expectHeld()
}

/** Does something, and undoes it after a time. */
async function during(ms: number, begin: () => unknown, end: () => unknown): Promise<void> {
  await begin()
  try {
    await pause(ms)
  } finally {
    await end()
  }
}

async function postgresOfTest() {
  return stoppedAfterTest(await startPostgres())
}

describe('Three nodes on PostgreSQL', { timeout: 120_000 }, () => {
  type Postgres = Awaited<ReturnType<typeof postgresOfTest>>
  const faults: Faults<Postgres> = {
    'while one is suspended for a second': async (_, [node]) => suspended(node, 1000),
    'while one is suspended for ten seconds': async (_, [node]) => suspended(node, 10_000),
    'while the server crashes and recovers': async (server) => {
      process.kill(server.pid ?? 0, 'SIGQUIT')
      await server.halt()
      await pause(1000)
      await server.resume()
    },
    'while the server ends all connections again and again': async ({ url }) => {
      for (let times = 0; times < 15; times += 1) {
        await admin(url, ENDS_ALL)
        await pause(200)
      }
    },
    'while the server has no space for what is written': async ({ url }) =>
      during(
        4000,
        async () => admin(url, FULL),
        async () => admin(url, NOT_FULL),
      ),
    'while a transaction of the host locks all users': async ({ url }) =>
      admin(url, 'BEGIN; SELECT 1 FROM people FOR UPDATE; SELECT pg_sleep(6); COMMIT'),
  }

  it.each(Object.entries(faults))(TITLE, async (_, fault) => {
    const server = await postgresOfTest()
    const environment = await sharedEnvironment('PostgreSQL', { databaseUrl: server.url })
    const nodes = await threeNodes(startPanelNode, environment)
    await expectHeldDuring(nodes, async () => fault(server, nodes))
  })
})

describe('Three nodes on PostgreSQL and Redis', { timeout: 120_000 }, () => {
  type Redis = Awaited<ReturnType<typeof redisOfTest>>
  const faults: Faults<Redis> = {
    'while one is suspended for ten seconds': async (_, [node]) => suspended(node, 10_000),
    'while Redis is suspended': async ({ pid }) =>
      during(
        6000,
        () => process.kill(pid, 'SIGSTOP'),
        () => process.kill(pid, 'SIGCONT'),
      ),
    'while Redis ends all connections again and again': async (redis) => {
      for (let times = 0; times < 15; times += 1) {
        ask(redis, 'CLIENT', 'KILL', 'TYPE', times % 4 === 0 ? 'pubsub' : 'normal')
        await pause(200)
      }
    },
    'while Redis is full and evicts nothing': async (redis) =>
      during(
        4000,
        () => ask(redis, 'CONFIG', 'SET', 'maxmemory', '1'),
        () => ask(redis, 'CONFIG', 'SET', 'maxmemory', '0'),
      ),
  }

  it.each(Object.entries(faults))(TITLE, async (_, fault) => {
    const redis = await redisOfTest()
    const environment = await sharedEnvironment('PostgreSQL and Redis', { redisUrl: redis.url })
    const nodes = await threeNodes(startPanelNode, environment)
    await expectHeldDuring(nodes, async () => fault(redis, nodes))
  })
})

describe('Three nodes on MySQL', { timeout: 120_000 }, () => {
  type Mariadb = Awaited<ReturnType<typeof startMariadb>>
  const faults: Faults<Mariadb> = {
    'while one is suspended for ten seconds': async (_, [node]) => suspended(node, 10_000),
    'while the server only reads, as a replica does': async ({ url }) =>
      during(
        4000,
        async () => {
          await mysqlAdmin(url, 'SET GLOBAL tx_read_only = 1')
          const others = await mysqlAdmin(url, OTHERS)
          for (const [kill] of others) await mysqlAdmin(url, String(kill)).catch(ignoreGone)
        },
        async () => mysqlAdmin(url, 'SET GLOBAL tx_read_only = 0'),
      ),
  }

  it.each(Object.entries(faults))(TITLE, async (_, fault) => {
    const server = stoppedAfterTest(await startMariadb())
    const mysqlUrl = await emptyMysql(server.url)
    const nodes = await threeNodes(startHostNode, await sharedEnvironment('MySQL', { mysqlUrl }))
    await expectHeldDuring(nodes, async () => fault(server, nodes))
  })
})

async function suspended(node: Node | undefined, ms: number): Promise<void> {
  await during(
    ms,
    () => node?.suspend(true),
    () => node?.suspend(false),
  )
  expect(node).toBeDefined()
}

function ask({ url }: { readonly url: string }, ...words: readonly string[]): void {
  const { port, password } = new URL(url)
  const env = { PATH: process.env['PATH'], REDISCLI_AUTH: password }
  expect(execFileSync('redis-cli', ['-p', port, ...words], { env, encoding: 'utf8' })).toMatch(DONE)
}

/** The answers to a change: done, or the number of connections. */
const DONE = /^(OK|\d+)$/m

/** A connection may have ended meanwhile. */
function ignoreGone(): void {}

/** The statements that end the other connections. */
const OTHERS = `SELECT concat('KILL ', id) FROM information_schema.processlist
  WHERE id <> connection_id() AND user = 'root'`

const ENDS_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND datname = current_database()`

/** Every write fails with the error of a full disk, and none is stored halfway. */
const FULL = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
    LOOP EXECUTE format('CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION refuse()', name);
    END LOOP; END $$`
const NOT_FULL = 'DROP FUNCTION refuse CASCADE'
