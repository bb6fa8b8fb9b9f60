import { NetworkError } from '../../src/client/client.ts'
import type { AuthClient, PanelUser, Refusal } from '../../src/client/client.ts'

type Name = 'user' | 'login' | 'logout'
type Said = { readonly outcome: 'refused'; readonly refusal: Refusal } | { readonly thrown: Error }

/** A service behind a client, without a network. */
export interface FakeService {
  readonly client: AuthClient
  /** Names of the routes that were called, in their order. */
  readonly calls: string[]
  /** Who is logged in. */
  user: PanelUser | null
  /** Whoever logs in still owes a code. */
  codeOwed: boolean
  /** The next call of the route is refused. */
  refuse(name: Name, refusal: Omit<Refusal, 'message'>): void
  /** The next call of the route throws; by default as if nothing answered. */
  fail(name: Name, error?: Error): void
  /** The next call of the route is answered only when the function that is returned is called. */
  hold(name: Name): () => void
}

/** Lets everybody in who gives an email. */
export function fakeService(): FakeService {
  const next = new Map<string, Said>()
  const held = new Map<string, Promise<void>>()
  const service: FakeService = {
    calls: [],
    user: null,
    codeOwed: false,
    refuse(name, refusal) {
      const message = `the server's words for ${refusal.key}`
      next.set(name, { outcome: 'refused', refusal: { ...refusal, message } })
    },
    fail(name, error = new NetworkError('offline')) {
      next.set(name, { thrown: error })
    },
    hold(name) {
      const { promise, resolve } = deferred()
      held.set(name, promise)
      return resolve
    },
    client: {
      // Each branch answers as the route of that name does.
      call: (async (name: Name, body: { email: string } | undefined) => {
        service.calls.push(name)
        const wait = held.get(name)
        held.delete(name)
        await wait
        const said = next.get(name)
        next.delete(name)
        if (said !== undefined && 'thrown' in said) throw said.thrown
        return said ?? answer(service, name, body)
      }) as AuthClient['call'],
    },
  }
  return service
}

function answer(service: FakeService, name: Name, body: { email: string } | undefined) {
  switch (name) {
    case 'user':
      return service.user === null ? unauthenticated : { outcome: 'ok', body: service.user }
    case 'login':
      if (service.codeOwed) {
        return { outcome: 'ok', body: { two_factor: true, expires_in: 300, attempts_left: 5 } }
      }
      service.user = {
        id: '1',
        name: 'Ada',
        email: body?.email ?? '',
        email_verified_at: null,
      }
      return { outcome: 'ok', body: { two_factor: false } }
    case 'logout':
      service.user = null
      return { outcome: 'ok', body: null }
  }
}

const unauthenticated = {
  outcome: 'refused',
  refusal: { status: 401, key: 'svc::auth.unauthenticated', message: 'Log in to continue.' },
} as const

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
