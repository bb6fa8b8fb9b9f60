import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

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

  it('has each line without an error, such as those about refused origins', async () => {
    const { auth, lines } = failing()
    for (const host of ['one', 'two', 'three']) {
      const headers = { origin: `https://${host}.test` }
      await auth.fetch(request('/svc/api/logout', { method: 'POST', headers }), FROM)
    }
    expect(lines()).toHaveLength(3)
  })
})

const FROM = { address: '127.0.0.1' }
const request = (path: string, init?: RequestInit) => new Request(`http://panel.test${path}`, init)

/** A service whose users cannot be read, and the lines that it writes. */
function failing() {
  const auth = createPanelAuth({
    config: {
      app: { url: 'http://panel.test', keys: ['test-key-test-key-test-key-0123456789'] },
      session_auth: { stateful: ['panel.test'] },
      svc: {
        prefix: 'admin',
        panels: ['main'],
        middleware: [
          async ({ request: { method } }, next) =>
            method === 'GET' ? Promise.reject(new Error('the database is down')) : next(),
        ],
      },
      spa: { off: true },
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
