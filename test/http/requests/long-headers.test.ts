import { describe, expect, it } from 'vitest'
import { firstItems, lastItems } from '../../../src/http/wire/header-lists.ts'
import { attempt, visitor } from '../../support/logins.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService } from '../../support/service.ts'

// Node accepts 16 KiB of headers.
const LONG = 15_000
const ROUNDS = 200

/** Returns the milliseconds that a call takes when nothing else delays it. */
async function timeOf(call: () => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = performance.now()
    await call()
    least = Math.min(least, performance.now() - since)
  }
  return least
}

const filledWith = (part: string): string => part.repeat(Math.floor(LONG / part.length))

describe('A header of 15 kB', () => {
  it.each([
    ['accept-language', 'de-CH;q=0.9,'],
    ['accept-encoding', 'gzip;q=0.9,'],
    ['x-forwarded-for', '127.0.0.1,'],
    ['x-forwarded-for', ','],
    ['cookie', ';'],
    ['cookie', 'svc_session '],
    ['cookie', ' svc_session=;'],
    ['cookie', 'xsvc_session=1;'],
    ['accept', 'text/html;q=0.9,'],
    ['if-none-match', '"a",'],
    ['range', 'bytes=0-1,'],
    ['referer', 'http://panel.test/'],
    ['origin', 'http://panel.test'],
    ['content-type', 'application/json;'],
    ['sec-purpose', 'prefetch;'],
  ])('costs less than 0.3 ms: %s of "%s"', async (name, part) => {
    const { auth } = await startService({
      appUrl: 'http://panel.test',
      config: { trusted_proxies: ['127.0.0.0/8'], spa: {} },
    })
    const { body } = await auth.handle(plainRequest({ target: '/admin/main' }))
    const html = typeof body === 'string' ? body : ''
    const [asset = ''] = /\/admin\/main\/assets\/[\w.-]+\.js/.exec(html) ?? []
    expect(asset).not.toBe('')
    for (const target of ['/svc/api/user', '/admin/main', asset]) {
      const headers = { host: 'panel.test' }
      const ask = (more: object) => async () =>
        auth.handle(
          plainRequest({ target, headers: { ...headers, ...more }, address: '127.0.0.1' }),
        )
      const [short, long] = [await timeOf(ask({})), await timeOf(ask({ [name]: filledWith(part) }))]
      expect(long - short).toBeLessThan(0.3)
    }
  })
})

describe('What a header has beyond the part that is read', () => {
  const FAR = 'x'.repeat(40)

  it.each([
    [`gzip,${`${FAR},`.repeat(100)}`, 'gzip'],
    [`${`${FAR},`.repeat(100)}gzip`, undefined],
  ])('does not choose the encoding of an asset', async (list, encoding) => {
    const { auth } = await startService({ appUrl: 'http://panel.test', config: { spa: {} } })
    const { body } = await auth.handle(plainRequest({ target: '/admin/main' }))
    const html = typeof body === 'string' ? body : ''
    const [target = ''] = /\/admin\/main\/assets\/[\w.-]+\.js/.exec(html) ?? []
    const headers = { host: 'panel.test', 'accept-encoding': list }
    const asset = await auth.handle(plainRequest({ target, headers }))
    expect([asset.status, asset.headers['content-encoding']]).toEqual([200, encoding])
  })

  it.each([
    [10, '203.0.113.9'],
    [1000, '127.0.0.1'],
  ])('does not name the client behind %i proxies', async (proxies, network) => {
    const config = { trusted_proxies: ['127.0.0.0/8'] }
    const service = await startService({ config })
    const guest = await visitor(service)
    const forwarded = `203.0.113.9${',127.0.0.1'.repeat(proxies)}`
    await attempt(guest, 'nobody@x.test', 'wrong', { 'x-forwarded-for': forwarded })
    expect(service.events).toContainEqual({
      event: 'failed',
      payload: expect.objectContaining({ network }),
    })
  })
})

describe('The part of a list that is read', () => {
  it.each([
    ['a,b,c', 'a,b', 'b,c'],
    ['a,b', 'a,b', 'a,b'],
    ['abcdef', '', ''],
    ['ab,cd', 'ab', 'cd'],
    ['a,,b', 'a,', ',b'],
  ])('has whole items: %s', (list, first, last) => {
    expect([firstItems(list, 3), lastItems(list, 3)]).toEqual([first, last])
  })
})
