import ky from 'ky'
import createOpenApiClient from 'openapi-fetch'
import { beforeEach, describe, expect, it } from 'vitest'
import { client, contract, makeClientBeforeEach } from './tested-client.ts'

/** The paths that `openapi-typescript` would write for the host's API. */
interface Paths {
  readonly '/api/orders': {
    readonly post: {
      readonly requestBody: { readonly content: { 'application/json': { readonly item: string } } }
      readonly responses: {
        readonly 201: { readonly content: { 'application/json': { readonly number: number } } }
      }
    }
  }
}

const order = { item: 'a lamp' }

makeClientBeforeEach()

beforeEach(() => {
  contract.answers.set('POST /api/orders', [{ status: 201, body: { number: 1 } }])
})

/** Makes a token known that the service no longer accepts. */
async function holdStaleToken(): Promise<void> {
  await client.call('logout')
  contract.token = 'token-2'
  contract.seen.length = 0
}

const posts = () => contract.seen.filter(({ line }) => line === 'POST /api/orders')

describe.each([
  [
    'ky',
    async () =>
      ky
        .post<{ number: number }>(`${contract.origin}/api/orders`, {
          fetch: client.fetch,
          json: order,
        })
        .json(),
  ],
  [
    'openapi-fetch',
    async () => {
      const api = createOpenApiClient<Paths>({ baseUrl: contract.origin, fetch: client.fetch })
      return (await api.POST('/api/orders', { body: order })).data
    },
  ],
])('%s with the fetch of the client', (_, post) => {
  it('sends the token', async () => {
    expect(await post()).toEqual({ number: 1 })
    expect(posts()[0]?.headers['x-xsrf-token']).toBe(contract.token)
  })

  it('sends the body again after the token was refused', async () => {
    await holdStaleToken()
    expect(await post()).toEqual({ number: 1 })
    expect(posts().map(({ body }) => body)).toEqual([JSON.stringify(order), JSON.stringify(order)])
    expect(posts().at(-1)?.headers['x-xsrf-token']).toBe('token-2')
  })
})

it('sends no token of the panel to another site with ky', async () => {
  const sent = ky.post('https://evil.test/api', { fetch: client.fetch, json: order, retry: 0 })
  await expect(sent).rejects.toThrow('is not on the panel’s site')
  expect(contract.seen).toEqual([])
})
