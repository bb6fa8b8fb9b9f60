import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PanelConfig } from '@svc/auth'
import { inject, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { openStream, type OpenStream } from './bell-stream.ts'
import { browserAt, type Browser } from './browser.ts'
import { HASH_PRIORITY } from './hash-priority.mjs'
import {
  startPanelProcess,
  temporaryFolder,
  type Environment,
  type PanelProcess,
  type WhenOver,
} from './panel.ts'
import { emptyMysql } from './mysql.ts'
import { emptyPostgres } from './postgres.ts'

const HOST = 'panel.localhost'
const ORIGIN = `http://${HOST}`
const program = fileURLToPath(new URL('../nodes/node.mjs', import.meta.url))

/** The stores that the nodes of one panel can share. */
export const places = ['PostgreSQL', 'PostgreSQL and Redis'] as const
/** On MySQL the panel keeps only what is the service's; its own tables stay in a file of the folder. */
export type Place = (typeof places)[number] | 'MySQL'

interface Servers {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly mysqlUrl: string
}

/** Returns the environment of a node that keeps everything in a file. */
export function ownEnvironment(): Environment {
  return { APP_URL: ORIGIN, SVC_DATA: temporaryFolder() }
}

/** Returns the environment that makes nodes one panel: the same stores, key and address. */
export async function sharedEnvironment(
  place: Place,
  { whenOver = onTestFinished, ...given }: Partial<Servers> & { readonly whenOver?: WhenOver } = {},
): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'))
  whenOver(async () => rmSync(folder, { recursive: true, force: true }))
  return {
    APP_URL: ORIGIN,
    // Keys of attempts are made with it: in a Redis that tests share, each has its own.
    APP_KEY: `a key of the tests and of ${folder} only`,
    SVC_DATA: folder,
    ...(await addressesOf(place, given)),
  }
}

async function addressesOf(place: Place, given: Partial<Servers>): Promise<Environment> {
  if (place === 'MySQL') return { MYSQL_URL: given.mysqlUrl ?? (await emptyMysql()) }
  const DATABASE_URL = given.databaseUrl ?? (await emptyPostgres())
  if (place === 'PostgreSQL') return { DATABASE_URL }
  return { DATABASE_URL, REDIS_URL: given.redisUrl ?? inject('redisUrl') }
}

/** A node, as browsers meet it through whatever stands before all nodes. */
export interface Reached {
  /** Its address, and the host that browsers know it by. */
  readonly at: { readonly url: string; readonly host: string }
  /** A browser with an address of its own, whose requests come to this node. */
  browser(options?: { readonly address?: string }): Browser
  /** The same browser, as its requests come to this node. */
  meet(browser: Browser): Browser
  stream(browser: Browser): Promise<OpenStream>
}

function reachedAt(port: number): Reached {
  const url = `http://127.0.0.1:${port}`
  const open = (options = {}): Browser => browserAt(url, { origin: ORIGIN, ...options })
  return {
    at: { url, host: HOST },
    browser: open,
    meet(browser) {
      const met = open({ address: browser.address })
      for (const name of ['svc_session', 'XSRF-TOKEN']) met.setCookie(name, browser.cookie(name))
      return met
    },
    stream: async (browser) => openStream(url, browser, { host: HOST, origin: ORIGIN }),
  }
}

/** The program of the reference panel, as one of its nodes. */
export type PanelNode = PanelProcess & Reached

export async function startPanelNode(
  environment: Environment,
  whenOver?: WhenOver,
): Promise<PanelNode> {
  const port = await freePort()
  const panel = await startPanelProcess({ ...environment, PORT: String(port) }, whenOver)
  return { ...panel, ...reachedAt(port) }
}

/** A node whose host's own code is at hand. */
export interface HostNode extends Reached {
  /** Makes a person. */
  enrol(email: string, password: string): Promise<void>
  /** Sends to the bell. Whoever waits for it knows that it is stored. */
  notify(email: string, title: string): Promise<void>
  /** @returns how many sessions were ended. */
  endSessions(email: string): Promise<number>
  /** `kill -9`; waits for the end. What was asked and not answered rejects. */
  kill(): Promise<void>
  /** Suspends it, as `SIGSTOP` does, or lets it go on. */
  suspend(isSuspended: boolean): void
}

export async function startHostNode(
  environment: Environment,
  {
    config = {},
    whenOver = onTestFinished,
  }: { readonly config?: Partial<PanelConfig>; readonly whenOver?: WhenOver } = {},
): Promise<HostNode> {
  const port = await freePort()
  const child = fork(program, {
    execArgv: HASH_PRIORITY,
    env: {
      PATH: process.env['PATH'],
      ...environment,
      PORT: String(port),
      NODE_CONFIG: JSON.stringify(config),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const closed = once(child, 'close')
  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await closed
  }
  whenOver(kill)
  const early = closed.then(() => Promise.reject(new Error(`the node ended: ${stderr}`)))
  await Promise.race([once(child, 'message'), early])
  early.catch(() => undefined)
  const ask = asking(child)
  return {
    ...reachedAt(port),
    kill,
    suspend: (isSuspended) => void child.kill(isSuspended ? 'SIGSTOP' : 'SIGCONT'),
    enrol: async (email, password) => void (await ask('enrol', email, password)),
    notify: async (email, title) => void (await ask('notify', email, title)),
    endSessions: async (email) => Number(await ask('endSessions', email)),
  }
}

interface Told {
  readonly call: number
  readonly result?: unknown
  readonly error?: string
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

function asking(child: ChildProcess): (name: string, ...args: string[]) => Promise<unknown> {
  const waiting = new Map<number, Waiting>()
  let calls = 0
  child.on('message', ({ call, result, error }: Told) => {
    if (error === undefined) waiting.get(call)?.resolve(result)
    else waiting.get(call)?.reject(new Error(error))
    waiting.delete(call)
  })
  child.on('close', () => {
    for (const { reject } of waiting.values()) reject(gone())
    waiting.clear()
  })
  return async (name, ...args) =>
    new Promise((resolve, reject) => {
      if (!child.connected) throw gone()
      calls += 1
      waiting.set(calls, { resolve, reject })
      child.send({ call: calls, name, args }, (error) => {
        if (error !== null) reject(error)
      })
    })
}

function gone(): Error {
  return Object.assign(new Error('the node is gone'), { code: 'ERR_NODE_GONE' })
}
