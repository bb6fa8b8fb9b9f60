import { Writable } from 'node:stream'
import pino from 'pino'
import { logSecurityEvents, type Logger } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it, vi } from 'vitest'
import { faultyStores } from '../../support/faulty-stores.ts'
import type { AnyJson } from '../../support/json.ts'
import { loggedIn, visitor, wrongLogins } from '../../support/logins.ts'
import { startPasswords, forget } from '../../support/passwords.ts'
import { STREAM, USER } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'

/** Collects the lines that a logger writes. */
function collecting() {
  const lines: AnyJson[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line))
      done()
    },
  })
  return { lines, stream }
}

/** A service whose stores are down, and a user who was logged in before. */
async function broken(logger: Logger) {
  const stores = faultyStores(memoryStores())
  const service = await startService({ stores, logger })
  const una = await loggedIn(service)
  stores.breakAt(1, 'fails, and so do all later ones')
  return { service, stores, una }
}

/** A logger whose methods need their object, as those of bunyan and winston do. */
class LikeBunyan implements Logger {
  readonly lines: AnyJson[] = []
  warn(fields: object, message: string): void {
    this.lines.push({ level: 40, msg: message, ...fields })
  }
  error(fields: object, message: string): void {
    this.lines.push({ level: 50, msg: message, ...fields })
  }
}

describe('A logger of the host', () => {
  it('may be a pino as it is, whose line has level, message, the error and the id of the answer', async () => {
    const { lines, stream } = collecting()
    const { una } = await broken(pino(stream))
    const { json } = await una.get(USER)
    expect(lines).toEqual([
      expect.objectContaining({
        level: pino.levels.values['error'],
        msg: 'a request failed',
        err: expect.objectContaining({
          type: 'Error',
          message: 'the store is down',
          stack: expect.stringContaining('the store is down'),
        }),
        path: USER,
        requestId: json.request_id,
      }),
    ])
  })

  it('may be a child of a pino with fields of its own', async () => {
    const { lines, stream } = collecting()
    const { una } = await broken(pino(stream).child({ component: 'panel' }))
    await una.get(USER)
    expect(lines).toEqual([
      expect.objectContaining({ component: 'panel', msg: 'a request failed' }),
    ])
  })

  it('may have methods that need their object', async () => {
    const logger = new LikeBunyan()
    const { una } = await broken(logger)
    await una.get(USER)
    expect(logger.lines).toEqual([expect.objectContaining({ level: 50, msg: 'a request failed' })])
  })

  it('receives a warning at the start as a warning', async () => {
    const { lines, stream } = collecting()
    await startService({
      logger: pino(stream),
      config: { limits: { login: { max: 1_000_000, window_seconds: 60 } } },
    })
    expect(lines).toEqual([expect.objectContaining({ level: pino.levels.values['warn'] })])
  })

  it('receives one line a second during an outage, and each answer names the line that counts it', async () => {
    const { lines, stream } = collecting()
    const { una } = await broken(pino(stream))
    const answers = await Promise.all(Array.from({ length: 40 }, async () => una.get(USER)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    await vi.waitFor(() => expect(counted(lines)).toBe(40), 3000)
    expect(lines.length).toBeLessThanOrEqual(4)
    const logged = lines.map(({ requestId }) => requestId)
    for (const { json } of answers) expect(logged).toContain(json.request_id)
  })

  it('receives one line a second while streams are refused', async () => {
    const { lines, stream } = collecting()
    const { una } = await broken(pino(stream))
    const answers = await Promise.all(Array.from({ length: 40 }, async () => una.get(STREAM)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    await vi.waitFor(() => expect(counted(lines)).toBe(40), 3000)
    expect(lines.length).toBeLessThanOrEqual(4)
  })

  it('receives one line a second while mails fail', async () => {
    const { lines, stream } = collecting()
    const service = await startPasswords({ logger: pino(stream) })
    service.mailer.failWith(new Error('the mail server is down'))
    for (const email of ['u1', 'u3', 'u4', 'u1', 'u3', 'u4'])
      await forget(service, `${email}@x.test`)
    await vi.waitFor(() => expect(counted(lines)).toBe(6), 3000)
    expect(lines.length).toBeLessThanOrEqual(3)
    expect(lines[0]).toMatchObject({ level: 50, event: 'password.mail_failed' })
  })

  it('receives a defect beside an outage', async () => {
    const { lines, stream } = collecting()
    const { una, service, stores } = await broken(pino(stream))
    await una.get(USER)
    stores.repair()
    service.users.failWith(new TypeError('a property of undefined'))
    await una.get(USER)
    expect(lines.map(({ err }) => err.type)).toEqual(['Error', 'TypeError'])
  })

  it.each([
    ['a colour', '\u001B[31mred'],
    ['a control character beyond ASCII', '\u009B31mred'],
    ['an order of writing', 'a\u202Eb'],
    ['a line', 'a\u2028b'],
  ])('receives no text that a terminal acts on: %s', async (_what, text) => {
    const { lines, stream } = collecting()
    const service = await startService({ logger: pino(stream) })
    const una = await loggedIn(service)
    service.users.failWith(new Error(`no such user: ${text}`))
    await una.get(USER)
    expect(lines).toHaveLength(1)
    // The strings as a logger for people prints them.
    expect(String(lines[0]?.err.message) + String(lines[0]?.err.stack)).not.toMatch(
      /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
    )
  })
})

const replyOfRedis = Object.assign(new Error('WRONGPASS invalid username-password pair'), {
  command: { name: 'auth', args: ['a secret'] },
})

describe('An error that carries values in a part of it', () => {
  it.each([
    // As ioredis throws it for a Cluster.
    ['an error under another name', { lastNodeError: replyOfRedis }],
    ['a list of errors under another name', { previousErrors: [replyOfRedis] }],
    // As Sequelize and validators throw it.
    ['a list of what is wrong', { errors: [{ path: 'email', value: 'a secret' }] }],
    ['a cause that is no error', { cause: { value: 'a secret' } }],
  ])('reaches no logger of the host: %s', async (_what, parts) => {
    const { lines, stream } = collecting()
    const service = await startService({ logger: pino(stream) })
    const una = await loggedIn(service)
    const thrown = Object.assign(new Error('the call failed'), parts)
    service.users.failWith(thrown)
    await una.get(USER)
    expect(lines).toMatchObject([{ err: { message: 'the call failed' } }])
    expect(JSON.stringify(lines)).not.toContain('a secret')
  })
})

describe('`logSecurityEvents` with a pino', () => {
  it('writes one structured line for each event', async () => {
    const { lines, stream } = collecting()
    const service = await startService()
    logSecurityEvents(service.auth, service.users, pino(stream))
    await loggedIn(service)
    await wrongLogins(await visitor(service), 1)
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    expect(lines).toEqual([
      expect.objectContaining({ level: 30, msg: 'login', event: 'login', userId: 'u1' }),
      expect.objectContaining({ level: 30, msg: 'failed', event: 'failed', tenant: null }),
    ])
  })
})

/** The number of failures that lines stand for. */
function counted(lines: readonly AnyJson[]): number {
  return lines.reduce((sum, { count = 1 }) => sum + Number(count), 0)
}
