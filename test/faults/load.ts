import { setImmediate } from 'node:timers/promises'
import type { Browser } from '../support/browser.ts'
import { attempt } from '../support/logins.ts'
import type { HostNode, Reached } from '../support/nodes.ts'
import { USER } from '../support/paths.ts'
import { FAILED, THROTTLED } from '../support/verdicts.ts'

/** One who guesses passwords: a network and an email of its own. */
interface Guesser {
  readonly browser: Browser
  readonly email: string
  sent: number
  /** The number of answers that the password is wrong. */
  refused: number
}

/** The requests to a node until it is gone, and those that it confirmed. */
export interface Load {
  /** Logged in. */
  readonly sessions: readonly Browser[]
  /** The titles that `notify` has sent. */
  readonly entries: readonly string[]
  readonly guessers: readonly Guesser[]
  /** Fulfilled when the node is gone, rejected when it answered what it must not. */
  readonly over: Promise<unknown>
}

const GUESSES = 4

/**
 * Logs the person in, reads, notifies and guesses, several at once, until the node does not answer any more.
 *
 * @param device The cookie of a known browser, so that no login is a notification of its own.
 */
export function startLoad(
  node: HostNode,
  { email, device }: { readonly email: string; readonly device: string | null },
): Load {
  const sessions: Browser[] = []
  const entries: string[] = []
  const guessers: Guesser[] = []
  let sent = 0

  async function logIn(): Promise<void> {
    const browser = node.browser()
    browser.setCookie('svc_device', device)
    const { status } = await browser.logIn(email)
    if (status !== 200) throw new Error(`a login was answered with ${status}`)
    sessions.push(browser)
  }
  async function read(): Promise<void> {
    const latest = sessions.at(-1)
    if (latest === undefined) return setImmediate()
    const { status } = await latest.get(USER)
    if (status !== 200) throw new Error(`a session was answered with ${status}`)
  }
  async function notify(): Promise<void> {
    sent += 1
    const title = `${email} ${sent}`
    await node.notify(email, title)
    entries.push(title)
  }
  async function guess(): Promise<void> {
    const browser = node.browser()
    await browser.get('/svc/api/csrf-cookie')
    const guesser = { browser, email: `nobody-${guessers.length}@${email}`, sent: 0, refused: 0 }
    guessers.push(guesser)
    while (guesser.sent < GUESSES) {
      guesser.sent += 1
      if ((await attempt(browser, guesser.email)) === FAILED) guesser.refused += 1
    }
  }
  const work = [logIn, logIn, read, read, notify, notify, guess, guess, guess]
  const over = Promise.all(work.map(untilGone))
  // Whoever waits for it is told, later.
  over.catch(() => undefined)
  return { sessions, entries, guessers, over }
}

/** Works again and again. @throws {Error} whatever is not the end of the node. */
export async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) await work()
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

const GONE = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ERR_IPC_CHANNEL_CLOSED',
  'ERR_NODE_GONE',
])

/** Returns whether the error says that the node does not answer any more. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(String(error.code))
}

/** Returns the number of further guesses that the node checks. */
export async function guessesLeft(node: Reached, { browser, email }: Guesser): Promise<number> {
  const met = node.meet(browser)
  let evaluated = 0
  while ((await attempt(met, email)) !== THROTTLED) evaluated += 1
  return evaluated
}
