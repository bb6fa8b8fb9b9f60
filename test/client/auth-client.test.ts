import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAuthClient, NetworkError } from '../../web/client/client.ts'
import { routes } from '../../src/rules/routes.ts'
import { refusal } from './contract-server.ts'
import { client, contract, lines, makeClient, makeClientBeforeEach } from './tested-client.ts'
import { ada } from './tested-session.ts'

const credentials = { email: 'ada@example.com', password: ' p ' }

/** Routes without a body, or without the same one in every success. */
const OPTIONAL: ReadonlySet<string> = new Set(['svc.email.send', 'notifications.stream'])

makeClientBeforeEach()

beforeEach(() => {
  contract.answers.set('POST /svc/api/login', [{ status: 200, body: { two_factor: false } }])
})

/** Puts cookies of the token's name before it, as somebody does who can set them for a longer path. */
function plant(values: readonly string[]): void {
  const before = [...contract.jar]
  contract.jar.clear()
  // The jar of the test has one cookie of a name; the line that scripts read has them all.
  for (const [number, value] of values.entries()) {
    contract.jar.set(`${' '.repeat(number)} XSRF-TOKEN`, value)
  }
  for (const [name, value] of before) contract.jar.set(name, value)
}

describe('calls', () => {
  it('sends a GET that accepts JSON, without a token', async () => {
    contract.answers.set('GET /svc/api/user', [{ status: 200, body: ada }])
    expect(await client.call('user')).toEqual({ outcome: 'ok', body: ada })
    expect(lines()).toEqual(['GET /svc/api/user'])
    expect(contract.seen[0]?.headers).toMatchObject({ accept: 'application/json' })
    expect(contract.seen[0]?.headers).not.toHaveProperty('x-xsrf-token')
  })

  it('asks for messages in the language of the page, if that is given', async () => {
    contract.answers.set('GET /svc/api/user', [{ status: 200, body: ada }])
    const { origin: baseUrl, fetch } = contract
    await createAuthClient({ baseUrl, fetch, locale: 'fr' }).call('user')
    await client.call('user')
    const asked = contract.seen.map(({ headers }) => headers['accept-language'])
    expect(asked).toEqual(['fr', '*'])
  })

  it('sends the body as it was given', async () => {
    expect(await client.call('login', credentials)).toEqual({
      outcome: 'ok',
      body: { two_factor: false },
    })
    expect(JSON.parse(contract.seen.at(-1)?.body ?? '')).toEqual(credentials)
    expect(contract.seen.at(-1)?.headers['content-type']).toBe('application/json')
  })

  it('sends unsafe requests with keepalive, so that they survive leaving the page', async () => {
    const kept: (boolean | undefined)[] = []
    const watched: typeof fetch = async (url, request) => {
      kept.push(request?.keepalive)
      return contract.fetch(url, request)
    }
    makeClient(watched)
    contract.answers.set('GET /svc/api/user', [{ status: 200, body: ada }])
    await client.call('user')
    await client.call('login', credentials)
    expect(kept).toEqual([false, false, true])
  })

  it('escapes the parameters of a path', async () => {
    contract.answers.set('POST /svc/api/notifications/a%2Fb%3F/read', [
      { status: 200, body: { unread_count: 0 } },
    ])
    await client.call('notifications.read', null, { id: 'a/b?' })
    expect(lines().at(-1)).toBe('POST /svc/api/notifications/a%2Fb%3F/read')
  })

  it('follows no redirect, which could carry a password to another site', async () => {
    const redirects: (RequestRedirect | undefined)[] = []
    makeClient(async (url, request) => {
      redirects.push(request?.redirect)
      return contract.fetch(url, request)
    })
    await client.call('login', credentials)
    expect(redirects).toEqual(['error', 'error'])
  })

  it('gives up after 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    onTestFinished(() => timeout.mockRestore())
    await expect(client.call('user')).rejects.toThrow(NetworkError)
    expect(timeout).toHaveBeenCalledWith(30_000)
  })

  it('returns null for an answer without a body', async () => {
    expect(await client.call('logout')).toEqual({ outcome: 'ok', body: null })
    expect(contract.seen.at(-1)?.headers).not.toHaveProperty('content-type')
  })

  it('returns a refusal as a value with its status', async () => {
    contract.answers.set('POST /svc/api/login', [
      refusal(422, 'svc::auth.throttle', { retry_after: 42, errors: { email: ['x'] } }),
    ])
    expect(await client.call('login', credentials)).toEqual({
      outcome: 'refused',
      refusal: {
        status: 422,
        key: 'svc::auth.throttle',
        message: "the server's words for svc::auth.throttle",
        retry_after: 42,
        errors: { email: ['x'] },
      },
    })
  })

  it.each([
    ['a page of a proxy', { status: 403, html: '<h1>Forbidden</h1>' }],
    ['a page instead of the user', { status: 200, html: '<h1>Sign in to the Wi-Fi</h1>' }],
    ['JSON of somebody else', { status: 404, body: { error: 'x' } }],
  ])('throws a NetworkError for %s', async (_, said) => {
    contract.answers.set('GET /svc/api/user', [said])
    await expect(client.call('user')).rejects.toThrow(NetworkError)
  })

  it.each([204, 200])(
    'throws a NetworkError for %i without the body of the route',
    async (status) => {
      const answer = async () =>
        new Response(null, { status, headers: { 'X-XSRF-TOKEN': 'token' } })
      makeClient(answer)
      const answers = routes.filter(({ answer, name }) => answer !== null && !OPTIONAL.has(name))
      expect(answers.map(({ name }) => name)).toContain('two-factor.setup')
      for (const { name } of answers) {
        const call = client.call(name as 'login', credentials)
        await expect(call, name).rejects.toThrow(NetworkError)
      }
    },
  )

  it('throws a NetworkError for JSON of somebody else with 200, whatever the route', async () => {
    const answer = async () =>
      Response.json({ status: 'maintenance' }, { headers: { 'X-XSRF-TOKEN': 'token' } })
    makeClient(answer)
    // The host decides on the fields of its users; nothing calls the other two.
    const other = new Set<string>(['user', 'notifications.stream', 'svc.email.verify'])
    for (const { name } of routes) {
      if (other.has(name)) continue
      const call = client.call(name as 'login', credentials)
      await expect(call, name).rejects.toThrow(NetworkError)
    }
  })

  it.each<readonly [number, Record<string, string>, object]>([
    [429, {}, { key: 'svc::auth.too_many_requests', retry_after: 30 }],
    [429, { 'Retry-After': '7' }, { key: 'svc::auth.too_many_requests', retry_after: 7 }],
    ...[500, 502, 503, 504, 520].map(
      (status) => [status, {}, { key: 'svc::auth.unavailable' }] as const,
    ),
  ])(
    'returns the page of a proxy with %i and %j as a refusal',
    async (status, headers, refusal) => {
      makeClient(async () => new Response('<h1>', { status, headers }))
      const answer = await client.call('login', credentials)
      expect(answer).toMatchObject({ outcome: 'refused', refusal: { status, ...refusal } })
    },
  )

  it('throws a NetworkError when there is no answer', async () => {
    const nowhere = createAuthClient({ baseUrl: 'http://127.0.0.1:1' })
    const error = await nowhere.call('user').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ name: 'NetworkError' })
  })

  it('sends cookies to another origin only when configured to', async () => {
    const asked: (RequestInit | undefined)[] = []
    const spy: typeof fetch = async (_, init) => {
      asked.push(init)
      return Response.json(ada)
    }
    await createAuthClient({ fetch: spy }).call('user')
    await createAuthClient({ fetch: spy, baseUrl: 'https://api.example.com' }).call('user')
    expect(asked.map((init) => init?.credentials)).toEqual(['same-origin', 'include'])
  })
})

describe('the CSRF token', () => {
  it('is fetched before the first unsafe call, and decoded', async () => {
    await client.call('login', credentials)
    expect(lines()).toEqual(['GET /svc/api/csrf-cookie', 'POST /svc/api/login'])
    expect(contract.seen.at(-1)?.headers['x-xsrf-token']).toBe('token/1+a=')
  })

  it('is not fetched again while a cookie has it', async () => {
    await client.call('login', credentials)
    await client.call('logout')
    expect(lines().filter((line) => line.endsWith('csrf-cookie'))).toHaveLength(1)
  })

  it('is fetched once for concurrent calls', async () => {
    await Promise.all([client.call('login', credentials), client.call('logout')])
    expect(lines().filter((line) => line.endsWith('csrf-cookie'))).toHaveLength(1)
    expect(lines()).toHaveLength(3)
  })

  it('is fetched again after 419, and the call is repeated', async () => {
    await client.call('logout')
    contract.token = 'token-2'
    contract.seen.length = 0
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual([
      'POST /svc/api/login',
      'GET /svc/api/csrf-cookie',
      'POST /svc/api/login',
    ])
  })

  it('reports the outage that keeps a new one away, not an outdated page', async () => {
    await client.call('logout')
    contract.token = 'token-2'
    contract.answers.set('GET /svc/api/csrf-cookie', [refusal(503, 'svc::auth.unavailable')])
    expect(await client.call('login', credentials)).toMatchObject({
      outcome: 'refused',
      refusal: { status: 503, key: 'svc::auth.unavailable' },
    })
  })

  it('is fetched again once for concurrent calls that are refused', async () => {
    await client.call('logout')
    contract.token = 'token-2'
    contract.seen.length = 0
    await Promise.all([client.call('logout'), client.call('logout'), client.call('logout')])
    expect(lines().filter((line) => line.endsWith('csrf-cookie'))).toHaveLength(1)
  })

  it('gives up after the second 419', async () => {
    contract.answers.set('POST /svc/api/logout', [refusal(419, 'svc::auth.csrf_mismatch')])
    expect(await client.call('logout')).toMatchObject({
      outcome: 'refused',
      refusal: { status: 419, key: 'svc::auth.csrf_mismatch' },
    })
    expect(lines().filter((line) => line === 'POST /svc/api/logout')).toHaveLength(2)
  })

  it.each([
    ['one that was planted on a longer path', ['planted']],
    ['three that were planted', ['1', '2', '3']],
    ['one that is not well-formed', ['%E0%A4%A']],
  ])('is found beside %s, without a request', async (_, planted) => {
    await client.call('logout')
    // A browser lists the cookies of longer paths first.
    plant(planted)
    contract.seen.length = 0
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
    expect(lines().filter((line) => line.endsWith('csrf-cookie'))).toEqual([])
    contract.seen.length = 0
    await client.call('logout')
    expect(lines()).toEqual(['POST /svc/api/logout'])
  })

  it('is taken from the header when too many cookies of the name were planted', async () => {
    contract.givesToken = 'in both'
    plant(Array.from({ length: 50 }, (_, number) => `planted-${number}`))
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual([
      ...Array.from({ length: 4 }, () => 'POST /svc/api/login'),
      'GET /svc/api/csrf-cookie',
      'POST /svc/api/login',
    ])
    await client.call('logout')
    expect(lines()).toHaveLength(7)
  })

  it('is taken from the header when the page cannot read the cookie', async () => {
    contract.givesToken = 'in the header'
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
    contract.token = 'token-2'
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual([
      'GET /svc/api/csrf-cookie',
      'POST /svc/api/login',
      'POST /svc/api/logout',
      'GET /svc/api/csrf-cookie',
      'POST /svc/api/logout',
    ])
  })

  it('is taken from the header in a sandboxed frame, whose cookies throw', async () => {
    vi.stubGlobal('document', {
      get cookie(): string {
        throw new DOMException('The document is sandboxed.', 'SecurityError')
      },
    })
    contract.givesToken = 'in the header'
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
  })

  it('is taken from the header first when the service is on another site', async () => {
    vi.stubGlobal('location', new URL('https://shop.example.com/'))
    contract.givesToken = 'in the header'
    await client.call('logout')
    plant(['of-another-application'])
    contract.seen.length = 0
    await client.call('logout')
    expect(lines()).toEqual(['POST /svc/api/logout'])
  })

  it('is read from the cookie again after another tab has logged in', async () => {
    contract.givesToken = 'in both'
    await client.call('logout')
    contract.token = 'token-2'
    contract.jar.set('XSRF-TOKEN', 'token-2')
    contract.seen.length = 0
    await client.call('logout')
    expect(lines()).toEqual(['POST /svc/api/logout'])
  })

  it('is fetched before the next call when a logout has removed its cookie', async () => {
    contract.givesToken = 'in both'
    await client.call('logout')
    contract.jar.delete('XSRF-TOKEN')
    contract.token = 'token-2'
    contract.seen.length = 0
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual(['GET /svc/api/csrf-cookie', 'POST /svc/api/login'])
  })

  it('makes the call a refusal when it cannot be fetched', async () => {
    contract.answers.set('GET /svc/api/csrf-cookie', [refusal(503, 'svc::auth.unavailable')])
    expect(await client.call('logout')).toMatchObject({
      outcome: 'refused',
      refusal: { status: 503 },
    })
    expect(lines()).toEqual(['GET /svc/api/csrf-cookie'])
  })
})

describe('whether somebody is here', () => {
  it.each([
    ['none', true],
    ['open', false],
    [null, false],
  ])("is read from the service's answer %j, without a refusal", async (session, isGuest) => {
    contract.session = session
    expect(await client.isGuest()).toBe(isGuest)
    expect(lines()).toEqual(['GET /svc/api/csrf-cookie'])
  })

  it('also fetches the token for the login', async () => {
    contract.givesToken = 'in the header'
    await client.isGuest()
    await client.call('login', credentials)
    expect(lines()).toEqual(['GET /svc/api/csrf-cookie', 'POST /svc/api/login'])
  })

  it('is unknown while the service is unreachable', async () => {
    contract.answers.set('GET /svc/api/csrf-cookie', [refusal(503, 'svc::auth.unavailable')])
    expect(await client.isGuest()).toBe(false)
  })
})
