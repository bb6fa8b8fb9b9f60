import { hashPassword } from '@svc/auth'
import { fakeClock, fakeTwoFactor, fakeUsers, outbox, type FakeUser } from '@svc/auth/testing'
import { expect } from 'vitest'
import { checkAnswer } from '../support/answer-check.ts'
import type { Answer } from '../support/browser.ts'
import { cookieHeader, cookiesOf, plainRequest } from '../support/plain-request.ts'
import { startService } from '../support/service.ts'
import { Model } from './model.ts'
import { type ModelLimits, type Person, type Predicted } from './state.ts'

const API = '/svc/api'
export const CODE = '123456'
export const RECOVERY = ['rcv-a', 'rcv-b', 'rcv-c']

const CHEAP = { memoryKiB: 64, passes: 1 }
const PASSWORDS = ['the first password', 'the second password', 'the third password']
const HASHES = await Promise.all(PASSWORDS.map(async (it) => hashPassword(it, CHEAP)))

/** A person at the start of a run. */
export interface Traits {
  readonly mustVerify: boolean
  readonly isVerified: boolean
  readonly enabled: boolean
  readonly required: boolean
}

/** The service under test: started once, and met by other people from other addresses in each run. */
export async function startSubject(limits: ModelLimits, bound: 'bound' | 'unbound') {
  const clock = fakeClock()
  const users = fakeUsers([], { clock })
  const mailer = outbox()
  const factor = fakeTwoFactor<FakeUser>({ code: CODE, recovery: RECOVERY })
  const given = Object.entries(limits).map(([name, { max, windowSeconds }]) => [
    name,
    { max, window_seconds: windowSeconds },
  ])
  const { auth, url, stores } = await startService({
    clock,
    users,
    mailer,
    ...(bound === 'bound' && { twoFactor: factor }),
    config: { limits: Object.fromEntries(given) },
  })
  return { auth, url, stores, clock, users, mailer, factor, limits, bound }
}
export type Subject = Awaited<ReturnType<typeof startSubject>>

/** A browser as the service meets it, without sockets. */
export class Visitor {
  readonly #subject: Subject
  readonly #told: Set<string>
  readonly address: string
  jar: Readonly<Record<string, string>> = {}

  constructor(subject: Subject, address: string, told: Set<string>) {
    this.#subject = subject
    this.address = address
    this.#told = told
  }

  /** `true` if something was sent to the logged-in person. */
  get isTold(): boolean {
    return this.#told.has(this.jar['svc_session'] ?? '')
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const isUnsafe = method !== 'GET' && method !== 'HEAD'
    if (isUnsafe && this.jar['svc_session'] === undefined) await this.send('GET', '/csrf-cookie')
    const { url, auth } = this.#subject
    const target = path.startsWith(API) ? path : API + path
    const reply = await auth.handle(
      plainRequest({
        method,
        target,
        body,
        address: this.address,
        headers: {
          origin: url,
          cookie: cookieHeader(this.jar),
          'sec-fetch-site': 'same-origin',
          ...(isUnsafe && { 'x-xsrf-token': this.jar['XSRF-TOKEN'] ?? '' }),
        },
      }),
    )
    const text = typeof reply.body === 'string' ? reply.body : ''
    const { status } = reply
    const headers = reply.headers as Answer['headers']
    const answer = { status, headers, text, json: text === '' ? null : JSON.parse(text) }
    checkAnswer(method, target, answer)
    const given = Object.entries({ ...this.jar, ...cookiesOf(reply) })
    this.jar = Object.fromEntries(given.filter(([, value]) => !/^(;|$)/.test(value)))
    const session = cookiesOf(reply)['svc_session']
    if (session !== undefined && status < 300 && path !== '/csrf-cookie')
      if (answer.json?.two_factor !== true) this.#told.add(session)
    return answer
  }
}

/** The service as one run meets it. */
export interface World {
  readonly subject: Subject
  readonly visitors: readonly Visitor[]
  /** The links of the mails, in the order of the model's. */
  readonly mails: string[]
  /** The ids of the entries of the bell, by their titles. */
  readonly ids: Map<string, string>
  readonly secretNumbered: (number: number) => string
}

let runs = 0

/** Other people and other addresses than any run before. */
export function begin(
  subject: Subject,
  traits: readonly Traits[],
): { readonly model: Model; readonly real: World } {
  runs += 1
  const { clock, users, factor, limits, bound } = subject
  const people = traits.map(({ mustVerify, isVerified, enabled, required }, index): Person => {
    const name = `r${runs}p${index}`
    const email = `${name}@x.test`
    const verifiedAt = isVerified ? clock.now() : null
    users.add({
      id: name,
      name,
      email,
      passwordHash: hashOf(0),
      mustVerify,
      emailVerifiedAt: verifiedAt,
    })
    factor.update(name, { enabled, required })
    const recovery = enabled ? [...RECOVERY] : []
    const row = { name, email, password: 0, active: true, mustVerify, verifiedAt }
    return { ...row, enabled, required, recovery, codesUnseenUntil: null, bell: [] }
  })
  const network = (last: number): string =>
    `10.${Math.floor(runs / 250) % 250}.${runs % 250}.${last}`
  const networks = [network(1), network(1), network(2)]
  const told = new Set<string>()
  const before = factor.secrets.length
  return {
    model: new Model({ now: clock.now(), people, networks, limits, isBound: bound === 'bound' }),
    real: {
      subject,
      visitors: networks.map((address) => new Visitor(subject, address, told)),
      mails: [],
      ids: new Map(),
      secretNumbered: (number) => factor.secrets[before + number] ?? 'no secret was asked for',
    },
  }
}

export function hashOf(password: number): string {
  return HASHES[password] ?? ''
}

export function passwordOf(password: number | null): string {
  return password === null ? 'none of them' : (PASSWORDS[password] ?? '')
}

/** An answer without its words, as the model predicts it. */
export function plain({ status, json }: Answer): Predicted {
  if (json === null) return { status }
  const { message: _, qr_code: _image, errors, data, ...body } = json
  return {
    status,
    body: {
      ...body,
      ...(errors !== undefined && { errors: Object.keys(errors) }),
      ...(data !== undefined && {
        data: data.map((it: Readonly<Record<string, unknown>> & { data: { title: string } }) => ({
          title: it.data.title,
          read_at: it['read_at'],
          created_at: it['created_at'],
        })),
      }),
    },
  }
}

/**
 * Checks after every step that each browser is where the model has it, and that nobody else is
 * logged in.
 */
export async function look(model: Model, { visitors }: World): Promise<void> {
  for (const [at, visitor] of visitors.entries()) {
    const answer = await visitor.send('GET', '/notifications')
    const browser = model.browsers[at]
    if (browser === undefined) throw new Error('a visitor has no counterpart in the model')
    expect(plain(answer), `browser ${at} looks at its bell`).toEqual(model.list(browser))
    if (answer.status !== 401)
      expect(visitor.isTold, `browser ${at} is in and was told so`).toBe(true)
  }
}
