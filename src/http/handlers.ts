import type { z } from 'zod'
import type { Awaitable, PlainReply } from '../contracts.ts'
import { emailStateOf } from '../core/sessions/resolve-user.ts'
import { randomId } from '../core/crypto.ts'
import { mapAwaitable } from '../core/timeouts.ts'
import { payloads, type RefusalKey } from '../rules/payloads.ts'
import type { RouteName } from '../rules/routes.ts'
import { bellStream } from './routes/notification-stream.ts'
import { mayCarryBody, readInput, readNothing, readOptional } from './wire/input.ts'
import { isUserNavigation, acceptsHtml } from './wire/navigation.ts'
import { openApiDocument } from './routes/openapi.ts'
import { present, presentEntry } from './routes/present-user.ts'
import {
  done,
  NOT_FOUND,
  redirect,
  refuse,
  stream,
  succeed,
  UNAVAILABLE,
  type Refusal,
} from './wire/respond.ts'
import type { Exchange, Service } from './service.ts'
import { verificationMail } from './routes/verification-mail.ts'
import {
  cookiesFor,
  cookiesOfLogin,
  factorOf,
  holderOf,
  isGuest,
  ownerOf,
  sourceOf,
} from './exchange.ts'

type Done = Awaitable<PlainReply | Refusal>
type Handler = <User>(service: Service<User>, exchange: Exchange<User>) => Done

/** One handler for each route, in the table's order. */
const handlers: { readonly [Name in RouteName]: Handler } = {
  csrf: withoutBody(async (service, exchange) => {
    const { presentedId, tenant, stateful } = exchange
    if (!stateful) return done()
    const id = presentedId ?? randomId()
    const given = presentedId === null ? id : null
    const token = service.csrf.issue(id)
    return done({
      'set-cookie': service.cookies(tenant).give(given, token),
      'x-xsrf-token': token,
      ...((await isGuest(service, exchange)) && { 'x-svc-session': 'none' }),
    })
  }),

  login: withBody(payloads.login.request, async (service, exchange, { email, password }) => {
    const { request, presentedId } = exchange
    const signal = request.signal ?? null
    const source = sourceOf(service, exchange)
    const result = await service.logIn({ ...source, email, password, presentedId, signal })
    switch (result.outcome) {
      case 'authenticated':
        return succeed('login', { two_factor: false }, cookiesOfLogin(service, exchange, result))
      case 'pending': {
        const body = {
          two_factor: true,
          expires_in: result.expiresInSeconds,
          attempts_left: result.attemptsLeft,
        }
        return succeed('login', body, cookiesFor(service, exchange, result.pendingId))
      }
      case 'failed':
        return { key: 'svc::auth.failed' }
      case 'throttled':
        return { key: 'svc::auth.throttle', retryAfterSeconds: result.retryAfterSeconds }
      case 'overloaded':
        return UNAVAILABLE
    }
  }),

  'login.two-factor': withBody(
    payloads['login.two-factor'].request,
    async (service, exchange, { code }) => {
      const { presentedId } = exchange
      const result = await service.submitCode({
        ...sourceOf(service, exchange),
        code,
        presentedId,
      })
      switch (result.outcome) {
        case 'authenticated':
          return done(cookiesOfLogin(service, exchange, result))
        case 'invalid':
          return incorrectCode(result.attemptsLeft)
        case 'exhausted':
          return { key: 'svc::auth.two_factor_exhausted', more: { attempts_left: 0 } }
        case 'expired':
          return { key: 'svc::auth.two_factor_expired' }
        case 'throttled':
          return {
            key: 'svc::auth.throttle',
            field: 'code',
            retryAfterSeconds: result.retryAfterSeconds,
          }
      }
    },
  ),

  logout: withoutBody(async (service, { tenant, presentedId }) => {
    if (presentedId !== null) {
      const session = await service.sessions.find(presentedId, tenant)
      await service.pendingLogins.endOf(presentedId)
      if (session !== null && (await service.sessions.end(session))) {
        service.events.emit('logout', { userId: session.record.userId, tenant })
      }
    }
    return done({ 'set-cookie': service.cookies(tenant).expire() })
  }),

  user: withoutBody((service, exchange) =>
    succeed('user', present(service.users, holderOf(exchange).user)),
  ),

  'two-factor': withoutBody(async (service, exchange) => {
    const { codesUnseen, ...status } = await factorOf(service).statusOf(holderOf(exchange))
    return succeed('two-factor', { ...status, codes_unseen: codesUnseen })
  }),

  'two-factor.setup': withOptionalBody(
    payloads['two-factor.setup'].request,
    async (service, exchange, body) => {
      const wanted = body?.fresh === true ? 'fresh' : 'same'
      const result = await factorOf(service).setUp(holderOf(exchange), wanted)
      if (result.outcome !== 'started') return { key: REFUSED_FACTOR[result.outcome] }
      return succeed('two-factor.setup', { secret: result.secret, qr_code: result.qrCode })
    },
  ),

  'two-factor.confirm': withBody(
    payloads['two-factor.confirm'].request,
    async (service, exchange, { code }) => {
      const result = await factorOf(service).confirm(holderOf(exchange), code)
      if (result.outcome !== 'enabled') return { key: REFUSED_FACTOR[result.outcome] }
      const { sessionId, recoveryCodes } = result
      return succeed(
        'two-factor.confirm',
        { recovery_codes: recoveryCodes },
        cookiesFor(service, exchange, sessionId),
      )
    },
  ),

  'two-factor.codes-seen': withoutBody(async (service, exchange) => {
    await factorOf(service).confirmCodesSeen(holderOf(exchange))
    return done()
  }),

  'two-factor.disable': withoutBody(async (service, exchange) => {
    const result = await factorOf(service).disable(holderOf(exchange))
    switch (result.outcome) {
      case 'disabled':
        return done(cookiesFor(service, exchange, result.sessionId))
      case 'not-enabled':
        return done()
      case 'required':
      case 'session-ended':
        return { key: REFUSED_FACTOR[result.outcome] }
    }
  }),

  'svc.email.send': withOptionalBody(
    payloads['svc.email.send'].request,
    async (service, exchange, body) => {
      const { user, tenant, request, attempt } = { ...exchange, ...holderOf(exchange) }
      const [first = ''] = service.panels
      const panel = body?.panel ?? first
      if (!service.panels.includes(panel)) return UNKNOWN_PANEL
      if (emailStateOf(user).state !== 'unverified') return done()
      const language = service.translator.language(request.header('accept-language'))
      await service.verification.send(
        { user, tenant, panel },
        verificationMail(service.translator, language, service.name),
      )
      const retryAfter = attempt === null || attempt.remaining > 0 ? 0 : attempt.retryAfterSeconds
      return succeed('svc.email.send', { retry_after: retryAfter })
    },
  ),

  'svc.email.verify': withoutBody(async (service, { request, matched, tenant }) => {
    const { id = '', hash = '' } = matched.params
    const query = request.target.slice(request.target.indexOf('?') + 1)
    const link = { id, hash, query }
    const result = await service.verification.open(
      link,
      tenant,
      isUserNavigation(request) ? 'verify' : 'look',
    )
    const at = `${service.baseUrl(tenant)}/${service.prefix}`
    if (result.outcome === 'verified') return redirect(`${at}/${result.panel}?verified=1`)
    const panel = result.outcome === 'expired' ? result.panel : service.panels[0]
    if (!acceptsHtml(request)) return { key: 'svc::auth.verification_invalid' }
    return redirect(`${at}/${panel}?verified=${result.outcome}`)
  }),

  notifications: withoutBody(async (service, exchange) => {
    const { latest, unread } = await service.bell.list(ownerOf(exchange))
    return succeed('notifications', { data: latest.map(presentEntry), unread_count: unread })
  }),

  'notifications.unread-count': withoutBody(async (service, exchange) =>
    succeed('notifications.unread-count', {
      unread_count: await service.bell.unread(ownerOf(exchange)),
    }),
  ),

  'notifications.read': withoutBody(async (service, exchange) => {
    const left = await service.bell.markRead(ownerOf(exchange), exchange.matched.params['id'] ?? '')
    return left === null ? NOT_FOUND : succeed('notifications.read', { unread_count: left })
  }),

  'notifications.read-all': withoutBody(async (service, exchange) => {
    await service.bell.markAllRead(ownerOf(exchange))
    return succeed('notifications.read-all', { unread_count: 0 })
  }),

  'notifications.stream': withoutBody(async (service, exchange) =>
    stream(bellStream(service, exchange)),
  ),

  openapi: withoutBody(async ({ baseUrl, factor }, { tenant }) =>
    succeed('openapi', openApiDocument(baseUrl(tenant), factor !== null)),
  ),
}

const REFUSED_FACTOR = {
  'already-enabled': 'svc::auth.two_factor_already_enabled',
  'setup-missing': 'svc::auth.two_factor_setup_missing',
  'session-ended': 'svc::auth.unauthenticated',
  invalid: 'svc::auth.two_factor_invalid',
  required: 'svc::auth.required_cannot_disable',
} as const satisfies Record<string, RefusalKey>

const UNKNOWN_PANEL: Refusal = {
  key: 'svc::auth.invalid',
  fields: { panel: { key: 'svc::auth.field.panel.unknown' } },
}

function incorrectCode(attemptsLeft: number): Refusal {
  return {
    key: 'svc::auth.two_factor_invalid',
    message: { key: 'svc::auth.two_factor_attempts', values: { count: attemptsLeft } },
    more: { attempts_left: attemptsLeft },
  }
}

/** Reads what the route asks for and does it. */
export function perform<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  name: RouteName,
): Awaitable<PlainReply> {
  return mapAwaitable(handlers[name](service, exchange), (result) =>
    'status' in result
      ? result
      : refuse(result, service.translator, exchange.request.header('accept-language')),
  )
}

function withBody<T>(
  schema: z.ZodType<T>,
  handle: <User>(service: Service<User>, exchange: Exchange<User>, body: T) => Done,
): Handler {
  return async (service, exchange) => {
    const input = await readInput(service, exchange.request, schema)
    return input.outcome === 'refused' ? input.refusal : handle(service, exchange, input.value)
  }
}

function withOptionalBody<T>(
  schema: z.ZodType<T>,
  handle: <User>(service: Service<User>, exchange: Exchange<User>, body: T | null) => Done,
): Handler {
  return async (service, exchange) => {
    const input = await readOptional(service, exchange.request, schema)
    return input.outcome === 'refused' ? input.refusal : handle(service, exchange, input.value)
  }
}

function withoutBody(handle: Handler): Handler {
  return (service, exchange) =>
    mayCarryBody(exchange.request) ? pastBody(handle, service, exchange) : handle(service, exchange)
}

async function pastBody<User>(
  handle: Handler,
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<PlainReply | Refusal> {
  const refusal = await readNothing(service, exchange.request)
  return refusal ?? handle(service, exchange)
}
