import { TOTP } from 'otpauth'
import { freshAddress, PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import type { HostNode } from '../support/nodes.ts'
import { LOGIN, USER } from '../support/paths.ts'
import { confirm, setUp } from '../support/second-factor.ts'
import { FAILED, THROTTLED, verdict } from '../support/verdicts.ts'
import type { Event, LoginEvent, Span } from './checker.ts'
import type { Random } from './random.ts'

const BELL = '/svc/api/notifications'
/** After so many logins others come from elsewhere, so that not everybody is throttled in the end. */
const LOGINS_OF_NETWORKS = 60
const NETWORKS = 2
const CONFIRMATIONS = 4
/** The share of marks that mark everything as read. */
const ALL = 0.1

/** A session that was opened, whether or not somebody has logged out of it since. */
interface Opened {
  readonly session: string
  readonly browser: Browser
}

/** Clients that do this and that at all nodes at once, and keep what they did. */
export interface Clients {
  readonly events: readonly Event[]
  /** One thing, picked by chance. */
  readonly act: () => Promise<void>
}

/** @param accounts Emails of people who have been enrolled, without a second factor. */
export function clientsOf(
  nodes: readonly HostNode[],
  accounts: readonly string[],
  random: Random,
): Clients {
  const events: Event[] = []
  const opened: Opened[] = []
  let networks: string[] = []
  let logins = 0
  let secrets = 0

  async function spanned<Result>(work: () => Promise<Result>): Promise<Span & { result: Result }> {
    const began = performance.now()
    const result = await work()
    return { began, ended: performance.now(), result }
  }

  function network(): string {
    if (logins % LOGINS_OF_NETWORKS === 0)
      networks = Array.from({ length: NETWORKS }, () => freshAddress())
    logins += 1
    return random.pick(networks)
  }

  async function logIn(password: string): Promise<void> {
    const account = random.pick(accounts)
    const browser = random.pick(nodes).browser({ address: network() })
    await browser.get('/svc/api/csrf-cookie')
    const { result, ...span } = await spanned(async () =>
      browser.post(LOGIN, { email: account, password }),
    )
    // On a busy machine a login may find no place for its hash. Nothing is compared and nobody is let in then.
    if (result.status === 503) return
    const outcome = outcomeOf(result)
    const session = outcome === 'ok' ? `session ${opened.length + 1}` : null
    events.push({ kind: 'login', account, network: browser.address, outcome, session, ...span })
    if (session !== null) opened.push({ session, browser })
  }

  /** The browser of somebody who is or was in, at any of the nodes. */
  function anybody(): { readonly session: string; readonly browser: Browser } {
    const { session, browser } = random.pick(opened)
    return { session, browser: random.pick(nodes).meet(browser) }
  }

  async function use(): Promise<void> {
    const { session, browser } = anybody()
    const { result, ...span } = await spanned(async () => browser.get(USER))
    events.push({ kind: 'use', session, outcome: wasInside(result) ? 'ok' : 'guest', ...span })
  }

  async function logOut(): Promise<void> {
    const { session, browser } = anybody()
    const { result, ...span } = await spanned(async () => browser.post('/svc/api/logout'))
    expectAmong([204], result)
    events.push({ kind: 'logout', session, ...span })
  }

  async function notify(): Promise<void> {
    const account = random.pick(accounts)
    const { result: _, ...span } = await spanned(async () =>
      random.pick(nodes).notify(account, `${events.length}`),
    )
    events.push({ kind: 'notify', account, ...span })
  }

  async function mark(): Promise<void> {
    const { browser } = anybody()
    const listed = await browser.get(BELL)
    if (!wasInside(listed) || listed.json.data.length === 0) return
    const { id }: { id: string } = random.pick(listed.json.data)
    const path = random.next() < ALL ? `${BELL}/read-all` : `${BELL}/${id}/read`
    expectAmong([200, 401], await browser.post(path))
  }

  /** Somebody new, whose confirmation is sent to all nodes at once. */
  async function enable(): Promise<void> {
    secrets += 1
    const email = `enables-${secrets}@example.com`
    const node = random.pick(nodes)
    await node.enrol(email, PASSWORD)
    const browser = node.browser()
    const loggedIn = await browser.logIn(email)
    if (loggedIn.status === 503) return
    expectAmong([200], loggedIn)
    const secret = await setUp(browser)
    const code = new TOTP({ secret }).generate()
    const confirmations = Array.from({ length: CONFIRMATIONS }, async (_, at) => {
      const met = (nodes[at % nodes.length] ?? node).meet(browser)
      const { result, ...span } = await spanned(async () => confirm(met, code))
      expectAmong([200, 401, 409, 422], result)
      const outcome = result.status === 200 ? 'enabled' : 'refused'
      events.push({ kind: 'enable', secret, outcome, ...span })
    })
    await Promise.all(confirmations)
  }

  const ofGuests = [async () => logIn('wrong'), async () => logIn(PASSWORD)]
  const actions = [
    ...times(6, async () => logIn('wrong')),
    ...times(3, async () => logIn(PASSWORD)),
    ...times(6, use),
    ...times(2, logOut),
    ...times(4, notify),
    ...times(4, mark),
    enable,
  ]
  return { events, act: async () => random.pick(opened.length === 0 ? ofGuests : actions)() }
}

function outcomeOf(answer: Answer): LoginEvent['outcome'] {
  const told = verdict(answer)
  if (told === 'ok') return 'ok'
  if (told === FAILED) return 'failed'
  if (told === THROTTLED) return 'throttled'
  throw new Error(`a login was answered with ${told}`)
}

function wasInside(answer: Answer): boolean {
  expectAmong([200, 401], answer)
  return answer.status === 200
}

function expectAmong(statuses: readonly number[], { status, text }: Answer): void {
  if (!statuses.includes(status)) throw new Error(`answered with ${status}: ${text}`)
}

function times<Item>(count: number, item: Item): readonly Item[] {
  return Array.from({ length: count }, () => item)
}
