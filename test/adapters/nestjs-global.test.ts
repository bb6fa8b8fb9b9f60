import { Get, Req, UseGuards, type Provider } from '@nestjs/common'
import { APP_GUARD, ExternalContextCreator } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { ConfigError, type PanelAuth } from '@svc/auth'
import { guard as guardOfExpress } from '@svc/auth/express'
import { CurrentUser, globalGuard, guard, pageGuard, Public, userOf } from '@svc/auth/nestjs'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { closedAfterTest } from '../support/after-test.ts'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'
import { decorate, nestApp, platforms } from './nest-app.ts'

type Auth = PanelAuth<FakeUser>

const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate' } as const
/** The metadata key under which NestJS stores the decorators of parameters. */
const ROUTE_ARGUMENTS = '__routeArguments__'
const LOGIN = { login: '/admin/main/login' } as const

describe.each(platforms)('globalGuard of NestJS, on %s', (_platform, adapter) => {
  it('guards every route that is not public', async () => {
    const { visit, logIn } = await open(adapter())
    const refused = await visit('/closed')
    expect(refused.status).toBe(401)
    expect(JSON.parse(refused.text)).toMatchObject({ key: 'svc::auth.unauthenticated' })
    await logIn('u1@x.test')
    expect(await visit('/closed')).toEqual({ status: 200, text: 'seen by u1' })
  })

  it.each(['/closed/health', '/open'])('exempts %s, which is public', async (path) => {
    const { visit } = await open(adapter())
    expect(await visit(path)).toEqual({ status: 200, text: 'seen by nobody' })
  })

  it.each([
    ['a handler with `Public(false)` in a public controller', '/open/closed'],
    ['a handler whose exemption is a value other than true', '/open/unsure'],
    ['a controller that extends a public one', '/inherits/mine'],
    ['an inherited handler of a controller that extends a public one', '/inherits'],
  ])('guards %s', async (_case, path) => {
    const { visit } = await open(adapter())
    expect((await visit(path)).status).toBe(401)
  })

  it('leaves the guard of a handler in force when its controller is public', async () => {
    const { visit, logIn } = await open(adapter())
    expect((await visit('/open/guarded')).status).toBe(401)
    expect(await visit('/open/page', NAVIGATION)).toMatchObject({ status: 302 })
    await logIn('u1@x.test')
    expect(await visit('/open/guarded')).toEqual({ status: 200, text: 'seen by u1' })
    expect(await visit('/open/page', NAVIGATION)).toEqual({ status: 200, text: 'seen by u1' })
  })

  it('does not read the session on a public route', async () => {
    const { visit, logIn } = await open(adapter())
    await logIn('u1@x.test')
    expect(await visit('/open')).toEqual({ status: 200, text: 'seen by nobody' })
  })
})

describe.each(platforms)('CurrentUser of NestJS, on %s', (_platform, adapter) => {
  it('returns only the user that a guard of the same service admitted', async () => {
    const other = await startService()
    const { visit, logIn } = await open(adapter(), { shown: other.auth })
    await logIn('u1@x.test')
    expect(await visit('/closed')).toEqual({ status: 200, text: 'seen by nobody' })
  })

  it('returns the user of each service when the guards of both admitted the request', async () => {
    const admins = await serviceThatAdmits('u1')
    const customers = await serviceThatAdmits('u2')
    class Both {
      list(user: FakeUser | null, request: object): string {
        return `${user?.id} and ${userOf(customers, request)?.id}`
      }
    }
    const method = [Get(), UseGuards(guard(customers))]
    decorate(Both, 'list', { method, parameter: [CurrentUser(admins)] })
    Req()(Both.prototype, 'list', 1)
    const { server } = await nestApp(adapter(), { both: Both }, [global(admins)])
    const host = closedAfterTest(await listening(server))
    const { body } = await host.send({ target: '/both' })
    expect(Buffer.from(body).toString()).toBe('u1 and u2')
  })
})

describe('CurrentUser of NestJS', () => {
  it('returns the user that the guard of Express admitted as middleware', async () => {
    const auth = await serviceThatAdmits('u1')
    class Orders {
      list(user: FakeUser | null): string {
        return `seen by ${user?.id}`
      }
    }
    decorate(Orders, 'list', { method: [Get()], parameter: [CurrentUser(auth)] })
    const adapter = new ExpressAdapter()
    adapter.use('/orders', guardOfExpress(auth))
    const { server } = await nestApp(adapter, { orders: Orders })
    const host = closedAfterTest(await listening(server))
    const { body } = await host.send({ target: '/orders' })
    expect(Buffer.from(body).toString()).toBe('seen by u1')
  })

  it('rejects a missing service where it is applied', () => {
    const create = () => CurrentUser(undefined as unknown as Auth)
    expect(create).toThrow(ConfigError)
    expect(create).toThrow('CurrentUser: pass the service, @CurrentUser(auth)')
  })

  it('rejects a handler that answers no HTTP request', async () => {
    const { call } = await resolver('graphql', 'profile')
    await expect(call()).rejects.toThrow(
      'Resolvers.profile answers "graphql": CurrentUser of @svc/auth knows users of HTTP requests',
    )
  })
})

describe.each(['graphql', 'ws', 'rpc'])('a handler that answers "%s"', (type) => {
  it('is refused by the global guard with a message that names the remedy', async () => {
    const { call, calls } = await resolver(type, 'orders')
    await expect(call()).rejects.toThrow(
      `Resolvers.orders answers "${type}": the guard of @svc/auth decides about HTTP requests only`,
    )
    expect(calls()).toBe(0)
  })

  it('is called when it is public', async () => {
    const { call, calls } = await resolver(type, 'news')
    await expect(call()).resolves.toBe('news')
    expect(calls()).toBe(1)
  })

  it('is refused by its own guard, public or not', async () => {
    const { call, calls } = await resolver(type, 'guarded')
    await expect(call()).rejects.toThrow('exempt the handler by @Public()')
    expect(calls()).toBe(0)
  })
})

/** A service whose guard admits every request as the same user. */
async function serviceThatAdmits(id: string): Promise<Auth> {
  const { auth, users } = await startService()
  const user = await users.findById(id, null)
  if (user === null) throw new Error('the user is missing')
  return { ...auth, guard: async () => ({ outcome: 'admitted', user, tenant: null }) }
}

const global = (auth: Auth): Provider => ({ provide: APP_GUARD, useValue: globalGuard(auth) })

/** Serves an application whose global guard is that of the service. */
async function open(
  adapter: Parameters<typeof nestApp>[0],
  { shown }: { readonly shown?: Auth } = {},
) {
  const service = await startService()
  const controllers = controllersOf(service.auth, shown ?? service.auth)
  const { server } = await nestApp(adapter, controllers, [global(service.auth)])
  const host = closedAfterTest(await listening(server))
  const browser = service.browser()
  return {
    logIn: async (email: string) => browser.logIn(email),
    visit: async (target: string, headers: Readonly<Record<string, string>> = {}) => {
      const session = browser.cookie('svc_session')
      const sent = {
        Host: new URL(service.url).host,
        ...(session !== undefined && { Cookie: `svc_session=${session}` }),
        ...headers,
      }
      const { status, body } = await host.send({ target, headers: Object.entries(sent) })
      return { status, text: Buffer.from(body).toString() }
    },
  }
}

/** The controllers of the application; their handlers say who `CurrentUser(shown)` is. */
function controllersOf(auth: Auth, shown: Auth): Readonly<Record<string, new () => object>> {
  const seenBy = (user: FakeUser | null): string => `seen by ${user?.id ?? 'nobody'}`
  const parameter = [CurrentUser(shown)]
  class Closed {
    list(user: FakeUser | null): string {
      return seenBy(user)
    }
    health(user: FakeUser | null): string {
      return seenBy(user)
    }
  }
  class Open {
    list(user: FakeUser | null): string {
      return seenBy(user)
    }
    closed(): string {
      return 'unguarded'
    }
    unsure(): string {
      return 'unguarded'
    }
    guarded(user: FakeUser | null): string {
      return seenBy(user)
    }
    page(user: FakeUser | null): string {
      return seenBy(user)
    }
  }
  decorate(Closed, 'list', { method: [Get()], parameter })
  decorate(Closed, 'health', { method: [Get('health'), Public()], parameter })
  Public()(Open)
  decorate(Open, 'list', { method: [Get()], parameter })
  decorate(Open, 'closed', { method: [Get('closed'), Public(false)] })
  decorate(Open, 'unsure', { method: [Get('unsure'), Public('yes' as unknown as boolean)] })
  decorate(Open, 'guarded', { method: [Get('guarded'), UseGuards(guard(auth))], parameter })
  decorate(Open, 'page', { method: [Get('page'), UseGuards(pageGuard(auth, LOGIN))], parameter })
  class Inherits extends Open {
    mine(): string {
      return 'unguarded'
    }
  }
  decorate(Inherits, 'mine', { method: [Get('mine')] })
  return { closed: Closed, open: Open, inherits: Inherits }
}

/** Returns a handler as NestJS calls those of gateways, resolvers and microservices. */
async function resolver(type: string, name: 'orders' | 'news' | 'guarded' | 'profile') {
  const { auth } = await startService()
  let calls = 0
  class Resolvers {
    orders(): string {
      calls += 1
      return 'orders'
    }
    news(): string {
      calls += 1
      return 'news'
    }
    guarded(): string {
      calls += 1
      return 'guarded'
    }
    profile(user: FakeUser | null): string {
      calls += 1
      return `seen by ${user?.id}`
    }
  }
  decorate(Resolvers, 'news', { method: [Public()] })
  decorate(Resolvers, 'guarded', { method: [Public(), UseGuards(guard(auth))] })
  decorate(Resolvers, 'profile', { method: [Public()], parameter: [CurrentUser(auth)] })
  const { app } = await nestApp(new ExpressAdapter(), {}, [Resolvers, global(auth)])
  const instance = app.get(Resolvers)
  const handler = { instance, callback: instance[name] as () => unknown, name }
  const call = createHandler(app.get(ExternalContextCreator), handler, type)
  return { call: async (): Promise<unknown> => call(undefined, {}, {}), calls: () => calls }
}

function createHandler(
  creator: ExternalContextCreator,
  {
    instance,
    callback,
    name,
  }: Readonly<Record<'instance', object>> & {
    readonly callback: () => unknown
    readonly name: string
  },
  type: string,
): (...args: readonly unknown[]) => Promise<unknown> {
  const parameters = { exchangeKeyForValue: () => null }
  const defaults = [undefined, undefined, undefined] as const
  return creator.create(instance, callback, name, ROUTE_ARGUMENTS, parameters, ...defaults, type)
}
