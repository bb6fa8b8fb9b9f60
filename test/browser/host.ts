import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import type { PanelConfig } from '@svc/auth'
import { fakeClock, type Span } from '@svc/auth/testing'
import { afterAll, beforeEach, expect } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { startPanel, type Panel, type PanelExtras } from '../../build/panel/panel.js'
import type { Person } from '../../build/panel/users.js'
import { CHEAP } from '../support/service.ts'

/** The reference panel with a fresh database, whatever the browser that comes to it. */
export interface Host {
  readonly panel: Panel
  readonly origin: string
  /** Address of the panel's home. */
  readonly home: string
  /** Turns the clock. */
  advance(by: Span): Promise<void>
  /** The time of the clock, in milliseconds since 1970. */
  now(): number
  /** The links of the mails to an address, in the order of sending. */
  links(to: string): Promise<readonly string[]>
  /** Ends every session of a person, as if it had been done elsewhere. */
  endSessions(email: string): Promise<void>
  /** Sends a person a notification, as the host's code does. */
  notify(email: string, sent: Sent): Promise<void>
}

/** A notification that a test sends. */
export interface Sent {
  readonly title: string
  readonly body?: string
  readonly url?: string
}

export const spa = { name: 'Acme Panel', links: { help: 'https://help.example/panel' } } as const

export const PATIENCE_MS = 20_000

/** Waits until a value is what the expectation says. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: PATIENCE_MS, interval: 20 })
}

/** Starts the host of a test file; every test finds it a day later, with all limits and sessions over. */
export async function startHost(
  config: Partial<PanelConfig> = { spa },
  extras: Pick<PanelExtras, 'twoFactor' | 'account'> = {},
): Promise<Host> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const clock = fakeClock()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const panel = await startPanel(
    {
      port,
      host: null,
      dataFolder,
      databaseUrl: null,
      redisUrl: null,
      appUrl: origin,
      appKeys: ['a key of tests: 0123456789 abcdef'],
      trustedProxies: [],
      drainSeconds: 0,
      metricsPort: null,
      unsafeHttp: false,
      smtpUrl: null,
      mailFrom: 'panel@localhost',
    },
    { clock, ...extras, config: { passwords: CHEAP, ...config } },
  )

  beforeEach(() => clock.advance({ hours: 25 }))
  afterAll(async () => {
    await panel.stop()
    rmSync(dataFolder, { recursive: true })
  })

  return {
    panel,
    origin,
    home: panel.url,
    advance: async (by) => clock.advance(by),
    now: () => clock.now(),
    links: async (to) => linksIn(dataFolder, to),
    async endSessions(email) {
      await panel.auth.endSessions((await personAt(panel, email)).id)
    },
    async notify(email, sent) {
      const data = { body: null, url: null, ...sent }
      await panel.auth.notify(await personAt(panel, email), {
        type: 'note',
        via: () => ['database'],
        toDatabase: () => data,
      })
    },
  }
}

/** Returns the links of the mails to an address, in the order of sending. */
export async function linksIn(dataFolder: string, to: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'mail')
  const files = readdirSync(folder).toSorted()
  const mails = await Promise.all(
    files.map(async (file) => PostalMime.parse(readFileSync(join(folder, file)))),
  )
  return mails.filter(({ to: [first] = [] }) => first?.address === to).map(linkIn)
}

async function personAt({ users }: Panel, email: string): Promise<Person> {
  const person = await users.findByEmail(email)
  if (person === null) throw new Error(`there is no ${email}`)
  return person
}

function linkIn({ text = '' }: Email): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`there is no link in ${text}`)
  return link
}
