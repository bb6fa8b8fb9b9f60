import fc from 'fast-check'
import type pg from 'pg'
import type { Stores } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { describe, expect, it } from 'vitest'
import { closedAfterTest } from '../support/after-test.ts'
import { garblingProxy } from '../support/garbling-proxy.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'

function message(code: string, body: string | Buffer, length?: number): Buffer {
  const bytes = Buffer.from(body)
  const header = Buffer.alloc(5)
  header.write(code)
  header.writeUInt32BE(length ?? bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}

const garbage: Readonly<Record<string, Buffer>> = {
  'an error without fields': message('E', ''),
  'an error whose field does not end': message('E', 'SERROR'),
  'an error whose fields do not end': message('E', 'SERROR\0C57P01\0'),
  'a notice without fields': message('N', ''),
  'a row of fewer columns than it says': message('D', Buffer.from([0x7f, 0xff])),
  'a row of less than no columns': message('D', Buffer.from([0xff, 0xff])),
  'a column of less than no bytes': message('D', Buffer.from([0, 1, 0xff, 0, 0, 0])),
  'rows that nobody asked for': message('C', 'SELECT 1\0'),
  'a description that ends early': message('T', Buffer.from([0, 9, 65])),
  'an unknown authentication': message('R', Buffer.from([0, 0, 0, 99])),
  'a notification of four bytes': message('A', Buffer.from([0, 0, 0, 1])),
  'a notification of none': message('A', ''),
  'an unknown code': message('?', 'what'),
  'a copy': message('G', ''),
  'a length that is too short': message('Z', 'I', 1),
  'a length that is too long': message('D', 'x', 0xff_ff_ff_ff),
  'an answer of HTTP': Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  zeros: Buffer.alloc(64),
}

async function open(database: string | pg.Pool): Promise<{ stores: Stores; heard: string[] }> {
  const stores = closedAfterTest(await postgresStores(database))
  const heard: string[] = []
  await stores.bus.subscribe('topic', (text) => void heard.push(text))
  return { stores, heard }
}

const patience = { timeout: 25_000 }

/** It counts again, and hears again what is published. */
async function expectWorks({ stores, heard }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const works = async (): Promise<boolean> => {
    try {
      await stores.attempts.reserve('key', 1000, 0)
      await stores.bus.publish('topic', 'told')
      return heard.includes('told')
    } catch (error) {
      expect(error).toMatchObject({ name: 'StoreError' })
      return false
    }
  }
  heard.length = 0
  await expect.poll(works, patience).toBe(true)
}

async function hearAll(messages: readonly Buffer[]): Promise<void> {
  const server = await garblingProxy(await emptyPostgres())
  const opened = await open(server.url)
  for (const bytes of messages) {
    server.say(bytes)
    await Promise.allSettled([opened.stores.sessions.read('key', 0)])
  }
  await expectWorks(opened)
}

describe('A PostgreSQL that sends malformed messages', { timeout: 60_000 }, () => {
  it.each(Object.entries(garbage))(
    'ends connections but not the process: %s',
    async (_name, bytes) => {
      const server = await garblingProxy(await emptyPostgres())
      const opened = await open(server.url)
      await expectWorks(opened)
      // While nothing is asked, and while something is.
      server.say(bytes)
      await expectWorks(opened)
      const asked = Array.from({ length: 5 }, async () => opened.stores.sessions.read('key', 0))
      server.say(bytes)
      await Promise.allSettled(asked)
      await expectWorks(opened)
    },
  )

  it.each(Object.entries(garbage))('fails the connection: %s', async (_name, bytes) => {
    const server = await garblingProxy(await emptyPostgres())
    server.greet(bytes)
    await expect(postgresStores(server.url)).rejects.toMatchObject({ name: 'StoreError' })
    server.greet(null)
    await expectWorks(await open(server.url))
  })

  it('does not break a pool of the host', async () => {
    const server = await garblingProxy(await emptyPostgres())
    const pool = postgresPool(server.url, { query_timeout: 1500 })
    const opened = await open(pool)
    for (const bytes of Object.values(garbage)) {
      server.say(bytes)
      await pool.query('SELECT 1').catch(() => undefined)
      await expectWorks(opened)
    }
  })

  it('does not end the process, whatever it sends', async () => {
    const codes = fc.constantFrom(...'12ADCEGHINRSTVWZcdnst3K'.split(''))
    const body = fc.uint8Array({ maxLength: 40 })
    const said = fc.oneof(
      body.map((bytes) => Buffer.from(bytes)),
      fc.tuple(codes, body).map(([code, bytes]) => message(code, Buffer.from(bytes))),
    )
    // Six connections at once, as some messages are followed by a wait.
    const seeds = [1, 2, 3, 4, 5, 6]
    await Promise.all(
      seeds.map(async (seed) => hearAll(fc.sample(said, { numRuns: 10, seed: seed + 7 }))),
    )
  })
})
