import fc from 'fast-check'
import { expect, it } from 'vitest'
import { garblingProxy } from '../support/garbling-proxy.ts'
import { emptyMysql } from '../support/mysql.ts'
import { open } from './mysql-stores.ts'

/** Bytes, and well-formed packets of bytes. */
const garbage = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.integer({ min: 0, max: 3 }),
    fc.boolean(),
  )
  .map(([body, number, isPacket]) => {
    const header = Buffer.from([body.length, 0, 0, number])
    return isPacket ? Buffer.concat([header, body]) : Buffer.from(body)
  })

it('a MySQL that sends malformed messages ends connections but not the process', async () => {
  const server = await garblingProxy(await emptyMysql(), { speaksFirst: true })
  const stores = await open(server.url, { pollSeconds: 0.02 })
  await stores.bus.subscribe('topic', () => undefined)
  const ask = async (): Promise<string> =>
    Promise.all([stores.sessions.read('key', 0), stores.attempts.reserve('key', 1000, 0)]).then(
      () => 'answered',
      (error: Error) => error.name,
    )
  const samples = fc.sample(garbage, { numRuns: 20, seed: 7 })
  for (const bytes of samples) {
    const asked = ask()
    server.say(bytes)
    expect(['answered', 'StoreError']).toContain(await asked)
  }
  for (const bytes of samples.slice(0, 4)) {
    server.greet(bytes)
    server.endAll()
    expect(await ask()).toBe('StoreError')
  }
  server.greet(null)
  await expect.poll(ask, { timeout: 10_000 }).toBe('answered')
}, 60_000)
