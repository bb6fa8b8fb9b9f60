import assert from 'node:assert/strict'
import { bodyCases } from './adapter-body-cases.ts'
import { adapterCase, DONE, textOf, valuesOf, type AdapterCase } from './adapter-case.ts'

/**
 * Cases that every adapter must pass: it passes requests and answers on unchanged and complete.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { AddressInfo } from 'node:net'
 * import { test } from 'node:test'
 * import { mount } from '@svc/auth/node'
 *
 * const subject: AdapterSubject = {
 *   async serve(auth) {
 *     const server = createServer(mount(auth)).listen(0)
 *     const send = sendToPort((server.address() as AddressInfo).port)
 *     return { send, calls: () => 0, close: async () => void server.close() }
 *   },
 * }
 * for (const { name, run } of adapterCases) test(name, () => run(subject))
 * ```
 */
export const adapterCases: readonly AdapterCase[] = [
  adapterCase('method, target and headers reach the service as they were sent', async (host) => {
    const target = '/svc/api/user?a=1&b=%2F'
    await host.send({ method: 'DELETE', target, headers: [['X-Thing', 'Ünï "1"; x']] })
    assert.equal(host.seen().method, 'DELETE')
    assert.equal(host.seen().target, target)
    assert.equal(host.seen().header('x-thing'), 'Ünï "1"; x')
    assert.equal(host.seen().header('x-other'), null)
  }),
  adapterCase('a target is neither decoded nor normalised', async (host) => {
    for (const target of [
      '/svc/api//user',
      '/svc/api/%75ser',
      '/svc/api/user/',
      '/svc/api/user;a.css',
      '/svc/api/USER',
      '/svc/api/user%00',
      '/svc/api/user?a=%zz&a=//',
    ]) {
      await host.send({ target })
      assert.equal(host.seen().target, target)
    }
  }),
  adapterCase('several lines of a header are joined with ", "', async (host) => {
    await host.send({
      target: '/svc/api/user',
      headers: [
        ['X-Forwarded-For', '203.0.113.1'],
        ['X-Forwarded-For', '203.0.113.2'],
      ],
    })
    assert.equal(host.seen().header('x-forwarded-for'), '203.0.113.1, 203.0.113.2')
  }),
  ...Object.entries({
    'Content-Type': ['application/json', 'text/plain'],
    Host: ['panel.test', 'evil.test'],
    Origin: ['http://panel.test', 'http://evil.test'],
    Referer: ['http://panel.test/', 'http://evil.test/'],
    'X-XSRF-TOKEN': ['good', 'bad'],
  }).map(([name, lines]) =>
    adapterCase(`two lines of ${name} are never read as one of them`, async (host) => {
      for (const order of [lines, lines.toReversed()]) {
        await host.send({
          target: '/svc/api/user',
          headers: order.map((line): [string, string] => [name, line]),
        })
        assert.ok(!lines.includes(host.seen().header(name.toLowerCase()) ?? ''), name)
      }
    }),
  ),
  adapterCase('the address is that of the socket, whatever a header says', async (host) => {
    await host.send({
      target: '/svc/api/user',
      headers: [
        ['X-Forwarded-For', '203.0.113.9'],
        ['Forwarded', 'for=203.0.113.9'],
      ],
    })
    assert.match(host.seen().address ?? '', /^(?:::ffff:)?127\.0\.0\.1$|^::1$/)
  }),
  ...bodyCases,

  adapterCase('status, headers and text are sent as the service gives them', async (host) => {
    const body = '{"message":"Réessayez"}'
    host.answer(async () => ({
      status: 419,
      headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': '42' },
      body,
    }))
    const answer = await host.send({ target: '/svc/api/user' })
    assert.equal(answer.status, 419)
    assert.equal(textOf(answer), body)
    assert.deepEqual(valuesOf(answer, 'content-type'), ['application/json; charset=utf-8'])
    assert.deepEqual(valuesOf(answer, 'retry-after'), ['42'])
  }),
  adapterCase('the reason phrase of 419 is not "unknown"', async (host) => {
    host.answer(async () => ({ status: 419, headers: {}, body: null }))
    const { reason } = await host.send({ target: '/svc/api/user' })
    assert.equal(reason ?? 'CSRF Token Mismatch', 'CSRF Token Mismatch')
    host.decide(async () => ({
      outcome: 'refused',
      reply: { status: 419, headers: { 'content-type': 'application/json' }, body: '{}' },
    }))
    const guarded = await host.send({ target: '/host/people' })
    assert.equal(guarded.reason ?? 'CSRF Token Mismatch', 'CSRF Token Mismatch')
  }),
  adapterCase('every cookie has a Set-Cookie line of its own', async (host) => {
    const cookies = ['one=1; Path=/; HttpOnly', 'two=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT']
    host.answer(async () => ({ ...DONE, headers: { 'set-cookie': cookies } }))
    const answer = await host.send({ target: '/svc/api/csrf-cookie' })
    assert.deepEqual(valuesOf(answer, 'set-cookie'), cookies)
  }),
  adapterCase('204 has no body, no type and no length', async (host) => {
    const answer = await host.send({ target: '/svc/api/csrf-cookie' })
    assert.equal(answer.status, 204)
    assert.equal(answer.body.byteLength, 0)
    for (const name of ['content-type', 'content-length', 'transfer-encoding'])
      assert.deepEqual(valuesOf(answer, name), [], name)
  }),
  adapterCase('HEAD reaches the service as HEAD and is answered without a body', async (host) => {
    host.answer(async () => ({ status: 200, headers: { 'x-thing': '1' }, body: null }))
    const answer = await host.send({ method: 'HEAD', target: '/svc/api/user' })
    assert.equal(host.seen().method, 'HEAD')
    assert.equal(answer.status, 200)
    assert.equal(answer.body.byteLength, 0)
    assert.deepEqual(valuesOf(answer, 'x-thing'), ['1'])
  }),
  adapterCase('bytes are sent byte for byte', async (host) => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index)
    host.answer(async () => ({ status: 200, headers: {}, body }))
    const answer = await host.send({ target: '/svc/api/user' })
    assert.deepEqual(Buffer.from(answer.body), Buffer.from(body))
  }),
  adapterCase('a stream is sent whole, text and bytes', async (host) => {
    host.answer(async () => ({ status: 200, headers: {}, body: pieces() }))
    assert.equal(textOf(await host.send({ target: '/svc/api/notifications/stream' })), 'é: ok')
  }),

  adapterCase('what is not the service’s is left to the host', async (host) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await host.send({ method, target: '/elsewhere' })
      assert.equal(answer.status, 404)
      assert.equal(textOf(answer), 'nothing of the host')
    }
    assert.equal(host.handled(), 0)
  }),
  adapterCase('the guard lets a user in and tells the route who it is', async (host) => {
    host.decide(async () => ({ outcome: 'admitted', user: { id: 'ada' }, tenant: null }))
    const answer = await host.send({ target: '/host/people?page=2' })
    assert.equal(answer.status, 200)
    assert.equal(textOf(answer), '{"seenBy":"ada"}')
    assert.equal(host.calls(), 1)
    assert.equal(host.guarded().target, '/host/people?page=2')
  }),
  adapterCase('requests at the same moment each have their own user', async (host) => {
    host.decide(async (request) => {
      const id = request.header('x-who') ?? ''
      // Later requests are admitted first.
      await new Promise((resolve) => setTimeout(resolve, 10 - Number(id)))
      return { outcome: 'admitted', user: { id }, tenant: null }
    })
    const ids = Array.from({ length: 10 }, (_, index) => String(index))
    const answers = await Promise.all(
      ids.map(async (id) => host.send({ target: '/host/people', headers: [['X-Who', id]] })),
    )
    assert.deepEqual(
      answers.map(textOf),
      ids.map((id) => `{"seenBy":"${id}"}`),
    )
  }),
  adapterCase('the guard sends the refusal and the route does not run', async (host) => {
    const body = '{"message":"Log in to continue.","key":"svc::auth.unauthenticated"}'
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-thing': '1' }
    host.decide(async () => ({ outcome: 'unauthenticated', reply: { status: 401, headers, body } }))
    const answer = await host.send({ target: '/host/people' })
    assert.equal(answer.status, 401)
    assert.equal(textOf(answer), body)
    assert.equal(host.calls(), 0)
    assert.deepEqual(valuesOf(answer, 'content-type'), ['application/json; charset=utf-8'])
    assert.deepEqual(valuesOf(answer, 'x-thing'), ['1'])
  }),
]

async function* pieces(): AsyncIterable<Uint8Array | string> {
  yield 'é'
  yield Uint8Array.from([58, 32])
  yield 'ok'
}
