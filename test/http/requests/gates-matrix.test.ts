import type { PanelAuth } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { API_PATH, type RouteName } from '../../../src/rules/paths.ts'
import { routes, type Route } from '../../../src/rules/routes.ts'
import type { Access } from '../../../src/rules/routes/row.ts'
import { openStream } from '../../support/bell-stream.ts'
import type { Answer, Browser } from '../../support/browser.ts'
import { STREAM } from '../../support/paths.ts'
import { cookieHeader, plainRequest } from '../../support/plain-request.ts'
import { type TestService } from '../../support/service.ts'
import {
  type Gate,
  STATES,
  type State,
  BOUND,
  type Bound,
  MIDDLEWARE,
  AUTHENTICATED,
  startRecorded,
  type Recorded,
  idOf,
  enter,
} from '../../support/recorded-service.ts'
import { CODE } from '../../support/second-factor.ts'

/*
 * Every route in every state. What is expected follows from `access` by the tables below, which
 * repeat the order and the column `access` of docs/http-api.md, and from nothing of the code.
 */

const TABLE = routes as readonly Route[]

/** "Each level adds one, in the specification's order." */
const GATES: Readonly<Record<Access, readonly Gate[]>> = {
  guest: [],
  session: ['session'],
  security: ['session', 'email'],
  panel: ['session', 'email', 'factor'],
}

/** Without a factor nobody owes a code or has to set one up. */
function standing(state: State, bound: Bound): { stopsAt: Gate | null; asks: readonly Gate[] } {
  const { stopsAt, asks } = STATES[state]
  if (bound === 'bound') return { stopsAt, asks }
  const owesNothing = stopsAt === 'factor' || state === 'pending login'
  return {
    stopsAt: owesNothing ? null : stopsAt,
    asks: state === 'pending login' ? ['session', 'email'] : asks.filter((it) => it !== 'factor'),
  }
}

interface Outcome {
  readonly verdict: string
  readonly met: readonly string[]
}

/** Returns the verdict on a route for each visitor. */
function expected(access: Access, state: State, bound: Bound): Outcome {
  const { stopsAt, asks } = standing(state, bound)
  const gates = GATES[access]
  const met = gates.filter((gate) => asks.includes(gate))
  if (access === 'guest') return { verdict: 'passes', met: [MIDDLEWARE] }
  if (stopsAt === null || !gates.includes(stopsAt))
    return { verdict: 'passes', met: [MIDDLEWARE, ...met, AUTHENTICATED, 'handler'] }
  const verdicts = {
    session: state === 'pending login' ? '401 and the code is owed' : '401',
    email: '403 email',
    factor: '403 setup',
  }
  const upTo = met.slice(0, met.indexOf(stopsAt) + 1)
  return { verdict: verdicts[stopsAt], met: [MIDDLEWARE, ...upTo] }
}

describe.each(BOUND)(
  'The gates, the second factor being %s (DO-2, DO-4, DO-5, 2FA-37)',
  (bound) => {
    const shown = TABLE.filter(
      ({ layer }) => layer === undefined || (layer === 'two-factor' && bound === 'bound'),
    )
    const hidden = TABLE.filter((route) => !shown.includes(route))
    const states = Object.keys(STATES) as readonly State[]

    it.each(states)(
      '%s: every route (ORD-01, ORD-02, ORD-03, ORD-05, ORD-06, EV-1, ER-2, EMV-25, ENR-29, NOT-14)',
      async (state) => {
        const host = await startRecorded(bound)
        const seen: Record<string, Outcome> = {}
        const wanted: Record<string, Outcome> = {}
        for (const route of shown) {
          const name = `${route.method} ${route.path}`
          const { verdict, met } = await meet(host, state, route)
          seen[name] = { verdict, met }
          wanted[name] = expected(route.access, state, bound)
        }
        expect(seen).toEqual(wanted)
      },
    )

    it.each(states)('%s: HEAD is answered as GET (ORD-07)', async (state) => {
      const host = await startRecorded(bound)
      for (const route of shown.filter(({ method }) => method === 'GET')) {
        const got = await meet(host, state, route)
        const head = await meet(host, state, route, 'HEAD')
        const name = route.path
        expect({ name, status: head.status, met: head.met, text: head.text }).toEqual({
          name,
          status: got.status,
          met: expected(route.access, state, bound).met,
          text: '',
        })
      }
    })

    it.each(states)('%s: every level of a route of the host, by auth.guard', async (state) => {
      const host = await startRecorded(bound)
      for (const access of ['session', 'security', 'panel'] as const) {
        for (const passive of [false, true]) {
          const browser = await enter(host, state)
          host.met.length = 0
          const { verdict, met } = expected(access, state, bound)
          expect(await guarded(host, browser, { access, passive })).toEqual({
            outcome: OUTCOMES[verdict],
            verdict,
            seen: verdict === 'passes' ? STATES[state].who : null,
          })
          const stages = host.met.filter((name, at) => name !== host.met[at - 1])
          expect(stages).toEqual(met.filter((it) => it !== 'handler'))
        }
      }
    })

    it.each(states)('%s: logging out is always possible (ORD-09)', async (state) => {
      const host = await startRecorded(bound)
      const browser = await enter(host, state)
      const before = browser.copy()
      expect((await browser.post('/svc/api/logout')).status).toBe(204)
      expect(browser.cookie('svc_session')).toBeNull()
      for (const route of shown.filter(
        ({ access, method }) => access !== 'guest' && method === 'GET',
      )) {
        const after = await before.get(targetOf(route))
        expect(verdictOf(after)).toBe('401')
      }
    })

    it.each(['anonymous', 'unverified', 'unverified + required'] as const)(
      '%s: the contract of the second factor is never called, whatever the body (ORD-04, ORD-08)',
      async (state) => {
        const host = await startRecorded(bound)
        const browser = await enter(host, state)
        const before = { factor: { ...host.factor.calls }, users: { ...host.users.calls } }
        for (const { method, path, access } of shown) {
          const target = API_PATH + path.replace('{id}', 'x').replace('{hash}', 'x')
          // Logging in and out is not what is asked about here.
          if (path === '/login' || path === '/logout') continue
          for (const body of [undefined, {}, { code: CODE }, { email: 1, code: [] }, '{']) {
            const answer = await browser.send(method, target, { body })
            if (state === 'anonymous' && access !== 'guest') expect(verdictOf(answer)).toBe('401')
          }
        }
        for (let asked = 0; asked < 3; asked += 1) await browser.get('/api/people')
        expect(host.factor.calls).toEqual(before.factor)
        if (state === 'anonymous') expect(host.users.calls).toEqual(before.users)
      },
    )

    it.each(states)('%s: the routes of other layers are unknown paths', async (state) => {
      const host = await startRecorded(bound)
      const browser = await enter(host, state)
      host.met.length = 0
      const unknown = await browser.get(`${API_PATH}/none`)
      expect([unknown.status, unknown.json.key]).toEqual([404, 'svc::auth.not_found'])
      for (const route of hidden)
        for (const method of new Set([route.method, 'GET', 'PUT', 'OPTIONS'])) {
          const { status, text, headers } = await browser.send(method, targetOf(route))
          const asked = `${method} ${route.path}`
          expect([asked, status, text]).toEqual([asked, 404, unknown.text])
          expect(headers).not.toHaveProperty('allow')
        }
      expect(host.met).toEqual([])
    })
  },
)

describe('While the second factor has to be set up (EN-9, ENR-28)', () => {
  it.each(['setup', 'exempt-setup'])('its page is open, and opens the panel (%s)', async (who) => {
    const { browser } = await startRecorded('bound')
    const una = browser()
    await una.logIn(`${who}@x.test`)
    const status = { enabled: false, required: true, pending: false, codes_unseen: false }
    expect((await una.get('/svc/api/two-factor')).json).toEqual(status)
    expect((await una.post('/svc/api/two-factor/setup')).status).toBe(200)
    expect((await una.get('/svc/api/two-factor')).json).toEqual({ ...status, pending: true })
    expect(verdictOf(await una.get('/svc/api/user'))).toBe('403 setup')
    const refused = await una.send('DELETE', '/svc/api/two-factor')
    expect([refused.status, refused.json.key]).toEqual([403, 'svc::auth.required_cannot_disable'])
    expect((await una.post('/svc/api/two-factor/confirm', { code: CODE })).status).toBe(200)
    expect((await una.get('/svc/api/user')).status).toBe(200)
    expect(JSON.parse((await una.get('/api/people')).text)).toEqual({ seenBy: who })
  })

  it('every request checks whether it is set up (SF-5, ER-3, AU-6, TC-2, ENR-19)', async () => {
    const { browser, factor } = await startRecorded('bound')
    const una = browser()
    await una.logIn('exempt@x.test')
    for (const required of [false, true, false]) {
      factor.update('exempt', { required })
      const verdict = required ? '403 setup' : 'passes'
      expect(verdictOf(await una.get('/svc/api/user'))).toBe(verdict)
      expect(verdictOf(await una.get('/svc/api/two-factor'))).toBe('passes')
    }
  })
})

const OUTCOMES: Readonly<Record<string, string>> = {
  passes: 'admitted',
  '401': 'unauthenticated',
  '401 and the code is owed': 'unauthenticated',
  '403 email': 'email-verification-required',
  '403 setup': 'two-factor-setup-required',
}

function targetOf({ path }: Route, who: string | null = null): string {
  return API_PATH + path.replace('{id}', who === null ? 'x' : idOf(who)).replace('{hash}', 'x')
}

interface Met extends Outcome {
  readonly status: number
  readonly text: string
}

/** Sends a request to the route from that state. @returns what it came to, and what it met. */
async function meet(
  host: Recorded,
  state: State,
  route: Route,
  method: string = route.method,
): Promise<Met> {
  const browser = await enter(host, state)
  host.met.length = 0
  const answer =
    route.name === 'notifications.stream' && method === 'GET'
      ? await firstOfStream(host, browser)
      : await browser.send(method, targetOf(route, STATES[state].who), sendingTo(route.name))
  const { status, text } = answer
  return { status, text, verdict: verdictOf(answer), met: stagesOf(host.met, route, status) }
}

function sendingTo(name: RouteName): { readonly body?: unknown } {
  if (name === 'login') return { body: {} }
  return name.endsWith('two-factor') || name.endsWith('confirm') ? { body: { code: CODE } } : {}
}

/** A stream goes on: one that is admitted is left once it has said something. */
async function firstOfStream(host: Recorded, browser: Browser): Promise<Answer> {
  const stream = await openStream(host.url, browser)
  if (stream.status === 200) await stream.next()
  stream.leave()
  const { status, headers } = stream
  if (status === 200) return { status, headers, text: '', json: null }
  host.met.length = 0
  return browser.get(STREAM)
}

/**
 * Returns the stages that a request passed: everything behind svc.authenticated_middleware is the
 * handler.
 */
function stagesOf(met: readonly string[], { access }: Route, status: number): readonly string[] {
  const stages = met.filter((name, at) => name !== met[at - 1])
  const last = stages.indexOf(AUTHENTICATED)
  // Nothing stands before the handler of a guest's route; what it asks for is its own affair.
  if (access === 'guest') return stages.filter((it) => it === MIDDLEWARE || it === AUTHENTICATED)
  if (last < 0) return stages
  const isHandled = stages.length > last + 1 || status < 300
  return [...stages.slice(0, last + 1), ...(isHandled ? ['handler'] : [])]
}

function verdictOf({ status, json }: Pick<Answer, 'status' | 'json'>): string {
  const flags = Object.keys(json ?? {}).filter((name) => FLAGS.has(name))
  const said = [status, ...flags].join(' ')
  const known = VERDICTS[said]
  if (known !== undefined) return known
  // Of what a handler answers nothing is an outage, unknown or a gate's.
  return flags.length === 0 && ![401, 404, 405, 419, 429].includes(status) && status < 500
    ? 'passes'
    : said
}

const FLAGS = new Set(['two_factor', 'email_verification_required', 'two_factor_setup_required'])

const VERDICTS: Readonly<Record<string, string>> = {
  '401': '401',
  '401 two_factor': '401 and the code is owed',
  '403 email_verification_required': '403 email',
  '403 two_factor_setup_required': '403 setup',
  // The login itself says so.
  '200 two_factor': 'passes',
}

type GuardOptions = NonNullable<Parameters<PanelAuth['guard']>[1]>

/** Asks the guard about a route of the host. */
async function guarded(
  { auth, url }: TestService,
  browser: Browser,
  options: GuardOptions,
): Promise<{ outcome: string; seen: string | null; verdict: string }> {
  const cookie = cookieHeader({ svc_session: browser.cookie('svc_session') ?? '' })
  const verdict = await auth.guard(
    plainRequest({ target: '/api/people', headers: { origin: url, cookie } }),
    options,
  )
  const { outcome } = verdict
  if (outcome === 'admitted') return { outcome, seen: verdict.user.id, verdict: 'passes' }
  const { status, body } = verdict.reply
  const json: unknown = typeof body === 'string' ? JSON.parse(body) : null
  return { outcome, seen: null, verdict: verdictOf({ status, json }) }
}
