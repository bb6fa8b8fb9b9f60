/*
 * The service as docs/specification.md and docs/http-api.md describe it, small enough to be read whole. It
 * knows nothing of the code. It predicts an answer as its status with what the body says, but for the words.
 */

import { GUEST, instantOf, masked, NOTHING, ok, refusal, unreadOf } from './predictions.ts'
import { ABSOLUTE, CODES_UNSEEN, IDLE, LINK, MINUTE, SECRET, areCodesUnseen } from './periods.ts'
import type {
  LimitName,
  ModelLimits,
  ModelSetup,
  Entry,
  Person,
  Session,
  Pending,
  ModelBrowser,
  Link,
  Predicted,
  Access,
  Judged,
} from './state.ts'
import { Places } from './places.ts'
import { Windows } from './windows.ts'

const LISTED = 20

export class Model {
  now: number
  readonly people: readonly Person[]
  readonly browsers: readonly ModelBrowser[]
  readonly links: Link[] = []
  readonly #limits: ModelLimits
  readonly #isBound: boolean
  readonly #windows: Windows
  #secrets = 0
  readonly #places = new Places(() => this.now)

  constructor(setup: ModelSetup) {
    this.now = setup.now
    this.people = setup.people
    this.browsers = setup.networks.map((network) => ({ network, held: GUEST, device: null }))
    this.#limits = setup.limits
    this.#windows = new Windows(setup.limits, () => this.now)
    this.#isBound = setup.isBound
  }

  // --- Counting -------------------------------------------------------------------------------

  #rationed(name: LimitName, who: string): Predicted | { remaining: number; retryAfter: number } {
    const place = this.#windows.reserve(name, 'route', who)
    return place.granted
      ? place
      : refusal(429, 'too_many_requests', { retry_after: place.retryAfter })
  }

  // --- Logging in and out ---------------------------------------------------------------------

  /** @param password Which of the passwords; `null`: none of them. */
  logIn(browser: ModelBrowser, email: string, password: number | null): Predicted {
    const limited = this.#rationed('login', browser.network)
    if ('status' in limited) return limited
    const person = this.people.find((it) => it.email === email) ?? null
    const counts = [
      ['email', email],
      ['user', person?.name ?? `nobody ${email}`],
    ]
    const keys: string[] = []
    for (const [kind = '', who = ''] of counts) {
      const place = this.#windows.reserve('login.failed', kind, who, browser.network)
      if (!place.granted)
        return refusal(422, 'throttle', { retry_after: place.retryAfter, errors: ['email'] })
      keys.push(place.key)
    }
    if (person === null || !person.active || person.password !== password)
      return refusal(422, 'failed', { errors: ['email'] })
    for (const key of keys) this.#windows.delete(key)
    this.#endHeld(browser)
    return this.#passwordAccepted(browser, person)
  }

  #passwordAccepted(browser: ModelBrowser, person: Person): Predicted {
    if (!this.#isBound || !person.enabled) {
      this.#places.add(browser, person)
      this.#open(browser, person)
      return ok({ two_factor: false })
    }
    const { windowSeconds, max } = this.#limits['two-factor.pending']
    const expiresAt = this.now + windowSeconds * 1000
    const pending = { person, password: person.password, expiresAt, ended: false }
    this.#pendings.push(pending)
    browser.held = { kind: 'pending', pending }
    return ok({ two_factor: true, expires_in: windowSeconds, attempts_left: max })
  }

  readonly #sessions: Session[] = []
  readonly #pendings: Pending[] = []

  #open(browser: ModelBrowser, person: Person, from: Session | null = null): void {
    const createdAt = from?.createdAt ?? this.now
    const session: Session = {
      person,
      password: from?.password ?? person.password,
      createdAt,
      lastSeenAt: this.now,
      expiresAt: Math.min(this.now + IDLE, createdAt + ABSOLUTE),
      secret: null,
      isProvisional: from === null && !person.enabled && areCodesUnseen(person, this.now),
      ended: false,
    }
    this.#sessions.push(session)
    browser.held = { kind: 'session', session }
  }

  #endHeld({ held }: ModelBrowser): void {
    if (held.kind === 'session') held.session.ended = true
    if (held.kind === 'pending') held.pending.ended = true
  }

  #waiting({ held }: ModelBrowser): Pending | null {
    if (held.kind !== 'pending' || held.pending.ended) return null
    return held.pending.expiresAt > this.now ? held.pending : null
  }

  #attemptsKey(pending: Pending): string {
    return String(this.#pendings.indexOf(pending))
  }

  sendCode(browser: ModelBrowser, code: string, right: string): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const limited = this.#rationed('login.two-factor', browser.network)
    if ('status' in limited) return limited
    const expired = refusal(422, 'two_factor_expired', { errors: ['code'] })
    const pending = this.#waiting(browser)
    if (pending === null) return expired
    const { person } = pending
    if (!person.active || person.password !== pending.password || !person.enabled) {
      pending.ended = true
      return expired
    }
    const place = this.#windows.reserve('two-factor.pending', this.#attemptsKey(pending))
    const counted: string[] = []
    for (const [name, ...who] of this.#places.countsOfCode(browser, person)) {
      const one = this.#windows.reserve(name, ...who)
      counted.push(one.key)
      if (one.granted) continue
      this.#windows.release(place.key, ...counted)
      return refusal(422, 'throttle', { retry_after: one.retryAfter, errors: ['code'] })
    }
    if (this.#isRight(person, code, right)) {
      pending.ended = true
      this.#windows.release(...counted)
      this.#places.add(browser, person)
      this.#open(browser, person)
      return NOTHING
    }
    if (place.remaining > 0)
      return refusal(422, 'two_factor_invalid', {
        attempts_left: place.remaining,
        errors: ['code'],
      })
    pending.ended = true
    return refusal(422, 'two_factor_exhausted', { attempts_left: 0, errors: ['code'] })
  }

  #isRight(person: Person, code: string, right: string): boolean {
    if (!person.recovery.includes(code)) return code === right
    person.recovery = person.recovery.filter((it) => it !== code)
    return true
  }

  /** Returns whether so many incorrect codes stay below the limits over all pending logins. */
  isFarFromThrottle(browser: ModelBrowser, codes: number): boolean {
    const person = this.#waiting(browser)?.person
    if (person === undefined) return true
    return this.#places.countsOfCode(browser, person).every(([name, ...who]) => {
      const used = this.#windows.open([name, ...who].join(' '))?.number ?? 0
      return used + codes <= this.#limits[name].max
    })
  }

  logOut(browser: ModelBrowser): Predicted {
    this.#endHeld(browser)
    browser.held = GUEST
    return NOTHING
  }

  // --- The gates ------------------------------------------------------------------------------

  /** The session of a browser, which is read anew: what ended it meanwhile ends it now. */
  #resolve({ held }: ModelBrowser): Session | null {
    if (held.kind !== 'session') return null
    const { session } = held
    if (session.ended || session.expiresAt <= this.now) return null
    const { person } = session
    const owesCode = this.#isBound && session.isProvisional && person.enabled
    if (person.active && person.password === session.password && !owesCode) return session
    session.ended = true
    return null
  }

  #unauthenticated(browser: ModelBrowser): Predicted {
    const pending = this.#waiting(browser)
    if (pending === null) return refusal(401, 'unauthenticated')
    const used = this.#windows.open(`two-factor.pending ${this.#attemptsKey(pending)}`)?.number ?? 0
    return refusal(401, 'unauthenticated', {
      two_factor: true,
      expires_in: Math.ceil((pending.expiresAt - this.now) / 1000),
      attempts_left: this.#limits['two-factor.pending'].max - used,
      email: masked(pending.person.email),
    })
  }

  #judge(
    browser: ModelBrowser,
    access: Access,
    { limit = null, passive = false }: { limit?: LimitName | null; passive?: boolean } = {},
  ): Judged {
    const session = this.#resolve(browser)
    if (session === null) return { refused: this.#unauthenticated(browser) }
    const { person } = session
    const place =
      limit === null ? { remaining: 0, retryAfter: 0 } : this.#rationed(limit, person.name)
    if ('status' in place) return { refused: place }
    if (access !== 'session' && person.mustVerify && person.verifiedAt === null) {
      const flag = { email_verification_required: true, email: person.email }
      return { refused: refusal(403, 'email_verification_required', flag) }
    }
    if (access === 'panel' && this.#isBound && person.required && !person.enabled) {
      const flag = { two_factor_setup_required: true }
      return { refused: refusal(403, 'two_factor_setup_required', flag) }
    }
    if (!passive && this.now - session.lastSeenAt >= MINUTE) {
      session.lastSeenAt = this.now
      session.expiresAt = Math.min(this.now + IDLE, session.createdAt + ABSOLUTE)
    }
    return { session, person, refused: null, ...place }
  }

  countUnread(browser: ModelBrowser): Predicted {
    const judged = this.#judge(browser, 'panel', { passive: true })
    return judged.refused ?? ok({ unread_count: unreadOf(judged.person) })
  }

  getUser(browser: ModelBrowser): Predicted {
    const judged = this.#judge(browser, 'panel')
    if (judged.refused !== null) return judged.refused
    const { name, email, verifiedAt } = judged.person
    return ok({ id: name, name, email, email_verified_at: instantOf(verifiedAt) })
  }

  // --- The second factor ----------------------------------------------------------------------

  getFactor(browser: ModelBrowser): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const judged = this.#judge(browser, 'security')
    if (judged.refused !== null) return judged.refused
    const { enabled, required } = judged.person
    return ok({
      enabled,
      required,
      pending: this.#secretOf(judged.session) !== null,
      codes_unseen: enabled && areCodesUnseen(judged.person, this.now),
    })
  }

  confirmCodesSeen(browser: ModelBrowser): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const judged = this.#judge(browser, 'security')
    if (judged.refused !== null) return judged.refused
    judged.person.codesUnseenUntil = null
    return NOTHING
  }

  #secretOf({ secret }: Session): string | null {
    return secret !== null && this.now < secret.since + SECRET ? secret.text : null
  }

  /** @param fresh What the service calls the secrets, by their number. */
  setUp(
    browser: ModelBrowser,
    wanted: 'same' | 'fresh',
    secretNumbered: (number: number) => string,
  ): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const judged = this.#judge(browser, 'security', { limit: 'two-factor.setup' })
    if (judged.refused !== null) return judged.refused
    if (judged.person.enabled) return refusal(409, 'two_factor_already_enabled')
    const waiting = wanted === 'same' ? this.#secretOf(judged.session) : null
    if (waiting !== null) return ok({ secret: waiting })
    const text = secretNumbered(this.#secrets)
    this.#secrets += 1
    judged.session.secret = { since: this.now, text }
    return ok({ secret: text })
  }

  confirm(browser: ModelBrowser, isRight: 'right' | 'wrong', codes: readonly string[]): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const judged = this.#judge(browser, 'security', { limit: 'two-factor.confirm' })
    if (judged.refused !== null) return judged.refused
    const { person, session } = judged
    if (person.enabled) return refusal(409, 'two_factor_already_enabled')
    if (this.#secretOf(session) === null)
      return refusal(422, 'two_factor_setup_missing', { errors: ['code'] })
    if (isRight === 'wrong') return refusal(422, 'two_factor_invalid', { errors: ['code'] })
    person.enabled = true
    person.recovery = [...codes]
    person.codesUnseenUntil = this.now + CODES_UNSEEN
    this.#rotate(browser, session)
    return ok({ recovery_codes: codes })
  }

  disable(browser: ModelBrowser): Predicted {
    if (!this.#isBound) return refusal(404, 'not_found')
    const judged = this.#judge(browser, 'security', { limit: 'two-factor.disable' })
    if (judged.refused !== null) return judged.refused
    const { person, session } = judged
    if (person.required) return refusal(403, 'required_cannot_disable')
    if (!person.enabled) return NOTHING
    person.enabled = false
    person.recovery = []
    person.codesUnseenUntil = null
    this.#rotate(browser, session)
    return NOTHING
  }

  /** Another id for this session; the person's other sessions and pending logins end. */
  #rotate(browser: ModelBrowser, session: Session): void {
    this.endSessions(session.person)
    this.#open(browser, session.person, session)
  }

  // --- Email ----------------------------------------------------------------------------------

  /** @returns what is answered; a link joins `links` where one is sent. */
  sendMail(browser: ModelBrowser): Predicted {
    const judged = this.#judge(browser, 'session', { limit: 'svc.email.send' })
    if (judged.refused !== null) return judged.refused
    const { person, remaining, retryAfter } = judged
    if (!person.mustVerify || person.verifiedAt !== null) return NOTHING
    const expiresAt = Math.floor(this.now / 1000) * 1000 + LINK
    this.links.push({ person, email: person.email, expiresAt })
    return { status: 202, body: { retry_after: remaining > 0 ? 0 : retryAfter } }
  }

  /** @returns where it leads. */
  openLink({ person, email, expiresAt }: Link, how: 'open' | 'look' | 'tampered'): string {
    if (how === 'tampered') return 'invalid'
    if (expiresAt <= this.now) return 'expired'
    if (person.email !== email) return 'invalid'
    if (how === 'open') person.verifiedAt ??= this.now
    return '1'
  }

  // --- The bell -------------------------------------------------------------------------------

  notify(person: Person, title: string): void {
    person.bell.push({ title, createdAt: this.now, readAt: null })
  }

  /** Predicts the list of the bell after each step: passive, so that it changes nothing. */
  list(browser: ModelBrowser): Predicted {
    const judged = this.#judge(browser, 'panel', { passive: true })
    if (judged.refused !== null) return judged.refused
    const data = judged.person.bell
      .slice(-LISTED)
      .toReversed()
      .map(({ title, createdAt, readAt }) => ({
        title,
        read_at: instantOf(readAt),
        created_at: instantOf(createdAt),
      }))
    return ok({ data, unread_count: unreadOf(judged.person) })
  }

  /** @param entry `null`: one that does not exist. */
  markRead(browser: ModelBrowser, entry: Entry | null): Predicted {
    const judged = this.#judge(browser, 'panel')
    if (judged.refused !== null) return judged.refused
    if (entry === null || !judged.person.bell.includes(entry)) return refusal(404, 'not_found')
    entry.readAt ??= this.now
    return ok({ unread_count: unreadOf(judged.person) })
  }

  markAllRead(browser: ModelBrowser): Predicted {
    const judged = this.#judge(browser, 'panel')
    if (judged.refused !== null) return judged.refused
    for (const entry of judged.person.bell) entry.readAt ??= this.now
    return ok({ unread_count: 0 })
  }

  // --- The host -------------------------------------------------------------------------------

  endSessions(person: Person): void {
    for (const one of [...this.#sessions, ...this.#pendings])
      if (one.person === person) one.ended = true
  }
}
