import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthClient, createPanelSession } from '../../src/client/client.ts'
import type { AuthClient } from '../../src/client/client.ts'
import { refusal, startContract } from './contract-server.ts'
import type { ContractServer, Said } from './contract-server.ts'

const ORDERS = '/api/orders'
const SENT = { method: 'post', headers: { 'X-Thing': '1' }, body: 'an order' }

let contract: ContractServer
let client: AuthClient

beforeEach(async () => {
  contract = await startContract()
  client = createAuthClient({ baseUrl: contract.origin, fetch: contract.fetch })
  contract.answers.set(`POST ${ORDERS}`, [{ status: 201, body: { number: 1 } }])
})

afterEach(() => contract.close())

const lines = () => contract.seen.map(({ line }) => line)
const CSRF = 'GET /svc/api/csrf-cookie'

describe('a request to a route of the host', () => {
  it('is sent as it is given, without a token, where it changes nothing', async () => {
    contract.answers.set(`GET ${ORDERS}?page=2`, [{ status: 200, body: [] }])
    const response = await client.fetch(`${ORDERS}?page=2`, { headers: { 'X-Thing': '1' } })
    expect(await response.json()).toEqual([])
    expect(lines()).toEqual([`GET ${ORDERS}?page=2`])
    expect(contract.seen[0]?.headers).toMatchObject({ 'x-thing': '1' })
    expect(contract.seen[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('brings the token where it changes something, fetched before', async () => {
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

  it('is refused for good the second time', async () => {
    contract.answers.set(`POST ${ORDERS}`, [refusal(419, 'svc::auth.csrf_mismatch')])
    const response = await client.fetch(ORDERS, SENT)
    expect(await response.json()).toMatchObject({ key: 'svc::auth.csrf_mismatch' })
    expect(lines().filter((line) => line === `POST ${ORDERS}`)).toHaveLength(2)
  })

  it.each<[string, Said]>([
    ['with a key', { status: 419, body: { key: 'shop.sold_out' } }],
    ['as a page', { status: 419, html: '<h1>Sold out</h1>' }],
  ])('is not sent again for a 419 of the host itself, %s', async (_, said) => {
    contract.answers.set(`POST ${ORDERS}`, [said])
    const response = await client.fetch(ORDERS, SENT)
    expect(await response.text()).toBe(said.html ?? JSON.stringify(said.body))
    expect(lines()).toEqual([CSRF, `POST ${ORDERS}`])
  })

  it.each(['https://evil.test/api', '//evil.test/api', 'data:,x'])(
    'takes no token to %s',
    async (path) => {
      await expect(client.fetch(path, SENT)).rejects.toThrow('is not on the panel’s site')
      expect(contract.seen).toEqual([])
    },
  )

  it('follows no redirect with a token, unless it is told to', async () => {
    const asked: (RequestInit | undefined)[] = []
    const spy: typeof fetch = async (url, init) => {
      if (url === contract.origin + ORDERS) asked.push(init)
      return contract.fetch(url, init)
    }
    client = createAuthClient({ baseUrl: contract.origin, fetch: spy })
    await client.fetch(ORDERS, SENT)
    await client.fetch(ORDERS, { ...SENT, redirect: 'follow' })
    expect(asked.map((init) => init?.redirect)).toEqual(['error', 'follow'])
  })

  it('brings its token from a page of the panel too', async () => {
    const session = createPanelSession({ client })
    const response = await session.request(async (fetch) => fetch(ORDERS, SENT))
    expect(response.status).toBe(201)
    expect(contract.seen.at(-1)?.headers['x-xsrf-token']).toBe(contract.token)
  })
})
