import assert from 'node:assert/strict'
import type { PlainRequest } from '../contracts/host.ts'
import {
  adapterCase,
  DONE,
  textOf,
  valuesOf,
  type AdapterCase,
  type AdapterRequest,
} from './adapter-case.ts'

const EMPTY = new Uint8Array()
const LIMIT = 16 * 1024
const JSON_TYPE = [['Content-Type', 'application/json']] as const

/** Formats in which clients, proxies and platforms send no body. */
export const emptyBodies: readonly (readonly [
  shape: string,
  Pick<AdapterRequest, 'body' | 'framing' | 'arrival' | 'headers'>,
])[] = [
  ['Content-Length: 0', { body: EMPTY }],
  ['no length at all', { framing: 'none' }],
  ['an empty chunked body', { body: EMPTY, framing: 'chunked' }],
  ['a chunked body that ends late', { body: EMPTY, framing: 'chunked', arrival: 'late' }],
  ['a type, and Content-Length: 0', { body: EMPTY, headers: JSON_TYPE }],
  ['a type, and no length', { framing: 'none', headers: JSON_TYPE }],
  ['a type, and an empty chunked body', { body: EMPTY, framing: 'chunked', headers: JSON_TYPE }],
]

/** Cases for request bodies that every adapter must pass. */
export const bodyCases: readonly AdapterCase[] = [
  ...(['length', 'chunked'] as const).flatMap((framing) => [
    adapterCase(`a body is read whole, byte for byte (${framing})`, async (host) => {
      host.answer(async (request) => ({ ...DONE, status: 200, body: await bodyOf(request) }))
      const body = Uint8Array.from({ length: LIMIT }, (_, index) => index % 256)
      const answer = await host.send({ method: 'POST', target: '/svc/api/login', body, framing })
      assert.deepEqual(Buffer.from(answer.body), Buffer.from(body))
    }),
    adapterCase(`a body over the limit is null, and answered (${framing})`, async (host) => {
      let read: Uint8Array | null = EMPTY
      host.answer(async (request) => {
        read = await request.body(LIMIT)
        return { status: 413, headers: {}, body: 'too large' }
      })
      const body = new Uint8Array(LIMIT + 1)
      const answer = await host.send({ method: 'POST', target: '/svc/api/login', body, framing })
      assert.equal(read, null)
      assert.equal(answer.status, 413)
      assert.equal(textOf(answer), 'too large')
    }),
  ]),
  ...['POST', 'DELETE'].flatMap((method) =>
    emptyBodies.map(([shape, empty]) =>
      adapterCase(`${method} with ${shape} has no bytes, whatever the limit`, async (host) => {
        for (const limit of [0, LIMIT]) {
          const sizes: (number | undefined)[] = []
          host.answer(async (request) => {
            sizes.push((await request.body(limit))?.byteLength)
            return DONE
          })
          const answer = await host.send({ method, target: '/svc/api/logout', ...empty })
          assert.equal(answer.status, 204)
          assert.deepEqual(sizes, [0])
        }
      }),
    ),
  ),
  ...(['length', 'chunked'] as const).map((framing) =>
    adapterCase(
      `a body that arrives late in two parts is read whole (${framing})`,
      async (host) => {
        host.answer(async (request) => ({ ...DONE, status: 200, body: await bodyOf(request) }))
        const body = Buffer.from('{"late":true}')
        const arrival = 'late'
        const late = { method: 'POST', target: '/svc/api/login', body, framing, arrival } as const
        assert.equal(textOf(await host.send(late)), '{"late":true}')
      },
    ),
  ),
  adapterCase('the limit 0 tells that there is a body without reading it', async (host) => {
    let read: Uint8Array | null = EMPTY
    host.answer(async (request) => {
      read = await request.body(0)
      return { ...DONE, status: 415 }
    })
    for (const framing of ['length', 'chunked'] as const) {
      read = EMPTY
      const body = Buffer.from('{}')
      const answer = await host.send({ method: 'POST', target: '/svc/api/logout', body, framing })
      assert.equal(answer.status, 415)
      assert.equal(read, null)
    }
  }),
  adapterCase('a body that nobody read ends the connection', async (host) => {
    const body = new Uint8Array(4 * LIMIT)
    const answer = await host.send({ method: 'POST', target: '/svc/api/login', body })
    assert.equal(answer.status, 204)
    assert.deepEqual(valuesOf(answer, 'connection'), ['close'])
  }),
]

async function bodyOf(request: PlainRequest): Promise<Uint8Array> {
  const body = await request.body(LIMIT)
  assert.ok(body, 'the body is not over the limit')
  return body
}
