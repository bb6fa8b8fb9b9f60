import { createPanelAuth, StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { configAt, svc } from '../../support/service.ts'
import { collectUnhandled } from '../../support/unhandled.ts'

describe('The log of a service without a logger', () => {
  it('has one line a second during an outage, with the number of failures since the last line', async () => {
    const { lines, fail } = failing()
    await fail(50)
    expect(lines()).toEqual([failure(undefined)])
    vi.advanceTimersByTime(1000)
    expect(lines()).toEqual([failure(undefined), failure(49)])
    await fail(3)
    expect(lines()).toHaveLength(2)
    vi.advanceTimersByTime(1000)
    expect(lines().slice(2)).toEqual([failure(3)])
  })

  it('has the first failure after a quiet second at once', async () => {
    const { lines, fail } = failing()
    await fail(1)
    vi.advanceTimersByTime(1000)
    await fail(1)
    vi.advanceTimersByTime(5000)
    expect(lines()).toEqual([failure(undefined), failure(undefined)])
  })

  it('has the failures of the last second when the service closes', async () => {
    const { auth, lines, fail } = failing()
    await fail(5)
    await auth.close()
    expect(lines()).toEqual([failure(undefined), failure(4)])
  })

  it('has a line for whatever was thrown, without its values, and no process ends', async () => {
    const { lines, fail, throwNext } = failing()
    const unhandled = collectUnhandled()
    const circle: Record<string, unknown> = { status: 500, config: 'a secret' }
    circle['request'] = { circle }
    const refused = { message: 'no uuid: ada@x.test', hint: null, details: 'ada', code: '22P02' }
    const unknown = new Error(
      "ERR unknown command 'EVALSHA', with args beginning with: 'ada@x.test'",
    )
    // As Redis 6.2 replies.
    const full = new Error(
      'ERR Error running script (call to f_b0d697da): @user_script:17: @user_script: 17: -OOM command not allowed',
    )
    const circular = new Error('the first')
    circular.cause = new Error('the second', { cause: circular })
    const failure = new Error('the mail failed', { cause: { cause: circle, ...circle } })
    const hostile = new Proxy({}, { get: raise })
    const secretive = Object.defineProperty(new Error('an error'), 'more', {
      enumerable: true,
      get: raise,
    })
    const table = "Table 'panel.svc_attempts' doesn't exist"
    const missing = ofMysql(table, { code: 'ER_NO_SUCH_TABLE', errno: 1146, sqlState: '42S02' })
    const nameless = ofMysql('CONSTRAINT `ada` failed', { errno: 4025, sqlState: '23000' })
    const late = ofMysql('max_statement_time exceeded', { errno: 1969, sqlState: '70100' })
    const cases = [
      [new StoreError('MySQL failed', { cause: missing }), `caused by ${table}`],
      [nameless, 'a query failed with the code 4025'],
      [late, 'max_statement_time exceeded'],
      [circle, 'object was thrown'],
      [{ message: 'the quota is used up', body: 'ada@x.test' }, 'the quota is used up'],
      [refused, 'a query failed with the code 22P02'],
      [unknown, 'Error: a query failed'],
      [full, '-OOM command not allowed'],
      [circular, 'caused by the second: the first'],
      [failure, 'caused by object was thrown'],
      [hostile, 'unreadable'],
      [secretive, 'unreadable'],
      [10n, 'bigint was thrown'],
      [Symbol('ada@x.test'), 'symbol was thrown'],
      [undefined, 'undefined was thrown'],
      ['the database is down', 'the database is down'],
    ] as const
    for (const [thrown, said] of cases) {
      throwNext(thrown)
      await fail(1)
      vi.advanceTimersByTime(1000)
      expect(lines().at(-1)).toMatchObject({ err: expect.stringContaining(said) })
    }
    expect(lines()).toHaveLength(cases.length)
    expect(await unhandled()).toEqual([])
  })

  it('has each line without an error, such as those about refused origins', async () => {
    const { auth, lines } = failing()
    for (const host of ['one', 'two', 'three']) {
      const headers = { origin: `https://${host}.test` }
      await auth.fetch(request('/svc/api/logout', { method: 'POST', headers }), FROM)
    }
    expect(lines()).toHaveLength(3)
  })
})

/** Returns an error as mysql2 throws it. */
function ofMysql(message: string, properties: object): Error {
  return Object.assign(new Error(message), { sqlMessage: message, sql: 'SELECT 1', ...properties })
}

function raise(): never {
  throw new Error('hostile')
}

const FROM = { address: '127.0.0.1' }
const request = (path: string, init?: RequestInit) => new Request(`http://panel.test${path}`, init)

/** A service whose users cannot be read, and the lines that it writes. */
function failing() {
  let thrown: unknown = new Error('the database is down')
  const auth = createPanelAuth({
    config: {
      ...configAt('http://panel.test'),
      svc: {
        ...svc,
        middleware: [
          async ({ request: { method } }, next) =>
            method === 'GET' ? Promise.reject(thrown) : next(),
        ],
      },
    },
    stores: memoryStores(),
    users: fakeUsers([]),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const written: string[] = []
  const spy = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((line) => written.push(String(line)) > 0)
  onTestFinished(async () => {
    spy.mockRestore()
    vi.useRealTimers()
    await auth.close()
  })
  return {
    auth,
    throwNext: (next: unknown) => (thrown = next),
    lines: (): readonly unknown[] => written.map((line) => JSON.parse(line)),
    fail: async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) {
        expect((await auth.fetch(request('/svc/api/user'), FROM)).status).toBe(503)
      }
    },
  }
}

function failure(count: number | undefined) {
  const err = expect.stringContaining('the database is down')
  const line = { level: 'error', message: 'a request failed', err, path: '/svc/api/user' }
  return expect.objectContaining(count === undefined ? line : { ...line, count })
}
