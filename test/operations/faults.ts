import { postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { makeSlowDisk } from '../../scripts/slow-disk.mjs'
import { breakablePostgres, breakableRedis } from '../faults/servers.ts'
import { endedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import { openStream, type OpenStream } from '../support/bell-stream.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { attempt, visitor } from '../support/logins.ts'
import { ownEnvironment, startPanelNode } from '../support/nodes.ts'
import { temporaryFolder } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { sendCode, WRONG } from '../support/second-factor.ts'
import { openHandle } from '../support/sqlite.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { repeat, startWatched, type WatchedNode } from './watched-node.ts'

/** A fault of the runbook, on a node that Prometheus watches. */
export interface Fault {
  readonly target: string
  readonly begin: () => unknown
  readonly mend: () => unknown
  /** Alerts that fire all the time. Default: none. */
  readonly ignored?: readonly string[]
}

/** The fault that fires each alert, by the name of the alert. */
export const faults: Readonly<Record<string, () => Promise<Fault>>> = {
  async SvcAuthDown() {
    const metricsPort = await freePort()
    const node = await startWatched({ metricsPort })
    return {
      target: node.target,
      begin: node.stop,
      mend: async () => startWatched({ metricsPort }),
    }
  },

  async SvcAuthUnavailable() {
    const server = stoppedAfterTest(await breakablePostgres())
    const node = await startWatched({ stores: await postgresStores(server.url) })
    return {
      target: node.target,
      begin: async () => server.begin('is gone'),
      mend: async () => server.end('is gone'),
    }
  },

  async SvcAuthNoLogins() {
    const node = await startWatched()
    const stop = { attempts: (): void => undefined }
    return {
      target: node.target,
      begin() {
        node.users.update('u4', { active: false })
        stop.attempts = repeat(async () => node.browser().logIn('u4@x.test'), 1, 200)
      },
      mend() {
        stop.attempts()
        node.users.update('u4', { active: true })
      },
    }
  },

  async SvcAuthLoginsQueue() {
    const passwords = { memory_kib: 64 * 1024, passes: 2, concurrency: 1, queue: 10 }
    const node = await startWatched({ config: { passwords } })
    return during(node, () => repeat(async () => node.browser().logIn('u6@x.test'), 20))
  },

  async SvcAuthSlow() {
    const node = await startWatched()
    const { findById } = node.users
    return {
      target: node.target,
      begin: () =>
        Object.assign(node.users, {
          async findById(...args: Parameters<typeof findById>) {
            await new Promise((resolve) => setTimeout(resolve, 1500))
            return findById(...args)
          },
        }),
      mend: () => Object.assign(node.users, { findById }),
    }
  },

  async SvcAuthFailedLogins() {
    const node = await startWatched()
    let guessed = 0
    const guess = async () => {
      guessed += 1
      return attempt(await visitor(node), `nobody-${guessed}@x.test`)
    }
    return during(node, () => repeat(guess, 4))
  },

  async SvcAuthFailedCodes() {
    const node = await startWatched()
    async function guess() {
      const browser = node.browser()
      await browser.logIn('u2@x.test')
      for (let sent = 0; sent < 4; sent += 1) await sendCode(browser, WRONG)
    }
    return during(node, () => repeat(guess, 2))
  },

  async SvcAuthThrottled() {
    const node = await startWatched()
    const browser = await visitor(node)
    return during(node, () => repeat(async () => attempt(browser, 'u1@x.test'), 1, 100))
  },

  async SvcAuthCallsFailing() {
    const redis = stoppedAfterTest(await breakableRedis())
    const database = sqliteStores(temporaryDatabase())
    const node = await startWatched({ stores: await openRedisStores(redis.url, database) })
    return {
      target: node.target,
      begin: async () => redis.begin('is gone'),
      mend: async () => redis.end('is gone'),
    }
  },

  async SvcAuthPoolWaits() {
    const url = await emptyPostgres()
    const node = await startWatched({ stores: await postgresStores(url) })
    const holder = endedAfterTest(new pg.Client(url))
    await holder.connect()
    const stop = { readers: (): void => undefined }
    return {
      target: node.target,
      async begin() {
        await holder.query('BEGIN')
        await holder.query('LOCK TABLE svc_attempts IN ACCESS EXCLUSIVE MODE')
        stop.readers = repeat(async () => attempt(await visitor(node), 'u1@x.test'), 60)
      },
      async mend() {
        stop.readers()
        await holder.query('ROLLBACK')
      },
    }
  },

  async SvcAuthBusBroken() {
    const url = await emptyPostgres()
    const proxy = await tcpProxy(url)
    const node = await startWatched({ stores: await postgresStores(url, { listen: proxy.url }) })
    return {
      target: node.target,
      begin() {
        proxy.refuse()
        proxy.cut()
      },
      mend: () => proxy.resume(),
    }
  },

  async SvcAuthManyStreams() {
    const node = await startWatched()
    const streams: OpenStream[] = []
    return {
      target: node.target,
      async begin() {
        for (let opened = 0; opened < 8; opened += 1) {
          const browser = node.browser()
          await browser.logIn('u1@x.test')
          streams.push(await openStream(node.url, browser, { host: 'panel.test' }))
        }
      },
      mend: () => streams.forEach((stream) => stream.leave()),
    }
  },

  async SvcAuthNotPruning() {
    const stopped = { aborted: false }
    const node = await startWatched({ signal: stopped })
    return {
      target: node.target,
      begin: () => (stopped.aborted = true),
      mend: () => (stopped.aborted = false),
    }
  },

  async SvcAuthClockOff() {
    const node = await startWatched({ stores: await postgresStores(await emptyPostgres()) })
    const { now } = Date
    const mend = (): void => void (Date.now = now)
    onTestFinished(mend)
    return { target: node.target, begin: () => (Date.now = () => now() + 10_000), mend }
  },

  async SvcAuthSlowDisk() {
    const disk = makeSlowDisk(temporaryFolder())
    const metricsPort = await freePort()
    const node = await startPanelNode({
      ...ownEnvironment(),
      ...disk.environment,
      METRICS_PORT: String(metricsPort),
    })
    const known = node.browser()
    await known.logIn('bea@example.com')
    const stop = repeat(
      async () => {
        const browser = node.browser()
        browser.setCookie('svc_device', known.cookie('svc_device'))
        return browser.logIn('bea@example.com')
      },
      2,
      200,
    )
    onTestFinished(stop)
    return {
      target: `127.0.0.1:${metricsPort}`,
      begin: () => disk.set(200),
      mend: () => disk.set(0),
      // The panel prunes once a minute, and the rule has five seconds in the test.
      ignored: ['SvcAuthNotPruning'],
    }
  },
}

/** A disk that is full is no alert of its own, but fires two. */
export async function fullDisk(): Promise<Fault> {
  const handle = openHandle(temporaryDatabase())
  const node = await startWatched({ stores: sqliteStores(() => handle) })
  return {
    target: node.target,
    begin: () => handle.exec('PRAGMA max_page_count = 1'),
    mend: () => handle.exec('PRAGMA max_page_count = 100000'),
  }
}

/** A fault that lasts as long as somebody does something. */
function during(node: WatchedNode, start: () => () => void): Fault {
  let stop = (): void => undefined
  return { target: node.target, begin: () => (stop = start()), mend: () => stop() }
}
