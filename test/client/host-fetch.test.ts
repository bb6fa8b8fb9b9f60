import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import { refusal } from './contract-server.ts'
import type { Said } from './contract-server.ts'
import { client, contract, lines, makeClient, makeClientBeforeEach } from './tested-client.ts'

const ORDERS = '/api/orders'
const SENT = { method: 'post', headers: { 'X-Thing': '1' }, body: 'an order' }

makeClientBeforeEach()

beforeEach(() => {
  contract.answers.set(`POST ${ORDERS}`, [{ status: 201, body: { number: 1 } }])
})

const CSRF = 'GET /svc/api/csrf-cookie'

describe('a request to a route of the host', () => {
  it('is sent unchanged and without a token when its method is safe', async () => {
    contract.answers.set(`GET ${ORDERS}?page=2`, [{ status: 200, body: [] }])
    const response = await client.fetch(`${ORDERS}?page=2`, { headers: { 'X-Thing': '1' } })
    expect(await response.json()).toEqual([])
    expect(lines()).toEqual([`GET ${ORDERS}?page=2`])
    expect(contract.seen[0]?.headers).toMatchObject({ 'x-thing': '1' })
    expect(contract.seen[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('carries the token, fetched before, when its method is unsafe', async () => {
    const response = await client.fetch(ORDERS, SENT)
    expect([response.status, await response.json()]).toEqual([201, { number: 1 }])
    expect(lines()).toEqual([CSRF, `POST ${ORDERS}`])
    expect(contract.seen.at(-1)).toMatchObject({
      headers: { 'x-thing': '1', 'x-xsrf-token': contract.token },
      body: 'an order',
    })
  })

  it('is sent again with another token when the guard refuses the first', async () => {
    await client.fetch(ORDERS, SENT)
    contract.token = 'token-2'
    contract.seen.length = 0
    expect((await client.fetch(ORDERS, SENT)).status).toBe(201)
    expect(lines()).toEqual([`POST ${ORDERS}`, CSRF, `POST ${ORDERS}`])
    expect(contract.seen.at(-1)?.body).toBe('an order')
  })

  it('is not repeated after a second refusal', async () => {
    contract.answers.set(`POST ${ORDERS}`, [refusal(419, 'svc::auth.csrf_mismatch')])
    const response = await client.fetch(ORDERS, SENT)
    expect(await response.json()).toMatchObject({ key: 'svc::auth.csrf_mismatch' })
    expect(lines().filter((line) => line === `POST ${ORDERS}`)).toHaveLength(2)
  })

  it.each<[string, Said]>([
    ['with a key', { status: 419, body: { key: 'shop.sold_out', message: 'Sold out' } }],
    ['as a page', { status: 419, html: '<h1>Sold out</h1>' }],
  ])('is not repeated for a 419 of the host itself, %s', async (_, said) => {
    contract.answers.set(`POST ${ORDERS}`, [said])
    const response = await client.fetch(ORDERS, SENT)
    expect(await response.text()).toBe(said.html ?? JSON.stringify(said.body))
    expect(lines()).toEqual([CSRF, `POST ${ORDERS}`])
  })

  it.each(['https://evil.test/api', '//evil.test/api', 'data:,x'])(
    'sends no token to %s',
    async (path) => {
      await expect(client.fetch(path, SENT)).rejects.toThrow('is not on the panel’s site')
      expect(contract.seen).toEqual([])
    },
  )

  it('follows no redirect with a token unless the caller allows it', async () => {
    const asked: (RequestInit | undefined)[] = []
    const spy: typeof fetch = async (url, init) => {
      if (url === contract.origin + ORDERS) asked.push(init)
      return contract.fetch(url, init)
    }
    makeClient(spy)
    await client.fetch(ORDERS, SENT)
    await client.fetch(ORDERS, { ...SENT, redirect: 'follow' })
    expect(asked.map((init) => init?.redirect)).toEqual(['error', 'follow'])
  })

  it('receives an answer that does not end, such as a stream of events', async () => {
    makeClient(async () => new Response(new ReadableStream()))
    client.onConfirmationRequired(async () => false)
    expect((await client.fetch(ORDERS)).status).toBe(200)
  })

  it('carries the token on a page of the panel too', async () => {
    const session = createPanelSession({ client })
    const response = await session.request(async (fetch) => fetch(ORDERS, SENT))
    expect(response.status).toBe(201)
    expect(contract.seen.at(-1)?.headers['x-xsrf-token']).toBe(contract.token)
  })
})

describe('a request that is made by a library', () => {
  const url = () => contract.origin + ORDERS

  it('may be a Request, as in ky and openapi-fetch: headers and body are kept', async () => {
    const request = new Request(url(), SENT)
    expect((await client.fetch(request)).status).toBe(201)
    expect(contract.seen.at(-1)).toMatchObject({
      headers: { 'x-thing': '1', 'x-xsrf-token': contract.token },
      body: 'an order',
    })
  })

  it('may be a Request: it is repeated with its body when the token is stale', async () => {
    await client.fetch(url(), SENT)
    contract.token = 'token-2'
    expect((await client.fetch(new Request(url(), SENT))).status).toBe(201)
    expect(contract.seen.at(-1)?.body).toBe('an order')
  })

  it('may have a form or a stream as its body, which is repeated too', async () => {
    await client.fetch(url(), SENT)
    contract.token = 'token-2'
    const form = new FormData()
    form.set('name', 'a lamp')
    expect((await client.fetch(new Request(url(), { method: 'POST', body: form }))).status).toBe(
      201,
    )
    expect(contract.seen.at(-1)?.body).toContain('a lamp')
    contract.token = 'token-3'
    const stream = new Blob(['an order']).stream()
    const init = { method: 'POST', body: stream, duplex: 'half' }
    expect((await client.fetch(url(), init)).status).toBe(201)
    expect(contract.seen.at(-1)?.body).toBe('an order')
  })

  it('may be a URL with options, as in tRPC', async () => {
    expect((await client.fetch(new URL(url()), SENT)).status).toBe(201)
    expect(contract.seen.at(-1)?.body).toBe('an order')
  })

  it('may be a Request with options that override it', async () => {
    const request = new Request(url(), SENT)
    const response = await client.fetch(request, { headers: { 'X-Thing': '2' }, body: 'another' })
    expect(response.status).toBe(201)
    expect(contract.seen.at(-1)).toMatchObject({ headers: { 'x-thing': '2' }, body: 'another' })
  })

  it('may be a safe Request, which gets no token', async () => {
    contract.answers.set(`GET ${ORDERS}`, [{ status: 200, body: [] }])
    expect((await client.fetch(new Request(url()))).status).toBe(200)
    expect(contract.seen.at(-1)?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('sends no token to another site', async () => {
    const request = new Request('https://evil.test/api', SENT)
    await expect(client.fetch(request)).rejects.toThrow('is not on the panel’s site')
    expect(contract.seen).toEqual([])
  })

  it('follows no redirect with a token, and can be aborted', async () => {
    const asked = recordRequests()
    await client.fetch(new Request(url(), SENT))
    await client.fetch(new Request(url(), SENT), { redirect: 'follow' })
    expect(asked.map(({ redirect }) => redirect)).toEqual(['error', 'follow'])
    const aborted = AbortSignal.abort()
    await expect(client.fetch(new Request(url(), { ...SENT, signal: aborted }))).rejects.toThrow(
      'aborted',
    )
  })

  it('sends cookies to a service on another origin unless the caller forbids it', async () => {
    vi.stubGlobal('location', new URL('https://shop.example.com/'))
    const asked = recordRequests()
    await client.fetch(new Request(url(), SENT))
    await client.fetch(new Request(url(), { ...SENT, credentials: 'omit' }))
    expect(asked.map(({ credentials }) => credentials)).toEqual(['include', 'omit'])
  })

  it('uses a replacement of the global fetch', () => {
    expectTypeOf(client.fetch).toExtend<typeof globalThis.fetch>()
  })
})

/** Replaces the client by one whose requests are recorded. */
function recordRequests(): readonly Request[] {
  const asked: Request[] = []
  const spy: typeof fetch = async (input, init) => {
    if (input instanceof Request) asked.push(input)
    return contract.fetch(input, init)
  }
  makeClient(spy)
  return asked
}
