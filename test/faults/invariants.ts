import { setTimeout as pause } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { freshAddress, type Answer, type Browser } from '../support/browser.ts'
import type { Reached } from '../support/nodes.ts'
import { CONFIRM, LOGIN, LOGOUT, READ_ALL, UNREAD_COUNT, USER } from '../support/paths.ts'
import { sendCode, setUp } from '../support/second-factor.ts'

/*
 * The load of three nodes during a fault, and what holds whatever the fault is. A node that is suspended, and a
 * connection that it closed, answers later or not at all.
 */

const [ADA, BEA] = ['ada@example.com', 'bea@example.com']
const ALLOWED_GUESSES = 5
const WINDOW_MS = 60_000

type Nodes = readonly [Reached, Reached, Reached]

/** The answers of the nodes under load. */
interface Seen {
  /** The statuses of sessions that nobody ended. */
  readonly open: Set<number>
  /** The statuses of sessions after the answer that they are ended. */
  readonly ended: Set<number>
  /** The number of wrong passwords that were checked. */
  evaluated: number
  /** The number of times that each recovery code was accepted. */
  readonly accepted: number[]
}

export interface ThreeNodeLoad {
  /** Ends the load, and expects that nothing was accepted that must not be, and that nobody is logged out. */
  expectHeld(): Promise<void>
}

/** Starts the load, which goes on until it is asked for. */
export async function startThreeNodeLoad(nodes: Nodes): Promise<ThreeNodeLoad> {
  const seen: Seen = { open: new Set(), ended: new Set(), evaluated: 0, accepted: [] }
  const since = performance.now()
  const address = freshAddress()
  const people = await Promise.all(nodes.map(async (node) => loggedIn(node, address)))
  const work = [
    ...nodes.flatMap((node) => people.map((one) => async () => read(seen, node.meet(one)))),
    async () => endOne(seen, nodes),
    ...(await guesses(seen, nodes)),
    await codes(seen, nodes, address),
  ]
  const state = { isOver: false }
  const over = work.map(async (step) => {
    while (!state.isOver) {
      await step()
      await pause(100)
    }
  })
  return {
    async expectHeld() {
      await expectEverybodyIn(nodes, people)
      state.isOver = true
      await Promise.all(over)
      const windows = 1 + Math.floor((performance.now() - since) / WINDOW_MS)
      expect([...seen.open].filter((status) => ![200, 503].includes(status))).toEqual([])
      expect([...seen.ended].filter((status) => ![401, 503].includes(status))).toEqual([])
      // Each of them was tried.
      expect(seen.open.has(200)).toBe(true)
      expect(seen.ended.has(401)).toBe(true)
      expect(seen.accepted).toContain(1)
      expect(seen.evaluated).toBeGreaterThan(0)
      expect(seen.evaluated).toBeLessThanOrEqual(windows * ALLOWED_GUESSES)
      expect(seen.accepted.filter((times) => times > 1)).toEqual([])
      await expectBell(nodes, people)
    },
  }
}

/** Returns the answer; `null` where the connection was closed. */
async function answered(answer: Promise<Answer>): Promise<Answer | null> {
  return answer.catch(() => null)
}

async function loggedIn(node: Reached, address: string): Promise<Browser> {
  const browser = node.browser({ address })
  expect((await browser.logIn(BEA)).json).toEqual({ two_factor: false })
  return browser
}

async function read({ open }: Seen, browser: Browser): Promise<void> {
  const answer = await answered(browser.get(USER))
  if (answer !== null) open.add(answer.status)
}

/** Logs in on one node, out on the next, and comes back to all of them. */
async function endOne({ ended }: Seen, nodes: Nodes): Promise<void> {
  const [first, second] = nodes.toSorted(() => Math.random() - 0.5)
  const browser = first?.browser()
  if (second === undefined || browser === undefined) return
  if ((await answered(browser.logIn(BEA)))?.status !== 200) return
  if ((await answered(second.meet(browser).post(LOGOUT)))?.status !== 204) return
  for (const node of nodes) {
    const answer = await answered(node.meet(browser).get(USER))
    if (answer !== null) ended.add(answer.status)
  }
}

/** Guesses the password of one email from one network, on every node at once. */
async function guesses(seen: Seen, nodes: Nodes): Promise<readonly (() => Promise<void>)[]> {
  const visitor = nodes[0].browser()
  await visitor.get('/svc/api/csrf-cookie')
  return nodes.map((node) => async () => {
    const guess = { email: 'nobody@example.com', password: 'wrong' }
    const answer = await answered(node.meet(visitor).post(LOGIN, guess))
    if (answer?.json?.key === 'svc::auth.failed') seen.evaluated += 1
  })
}

/** Enters each recovery code on every node at once. */
async function codes(seen: Seen, nodes: Nodes, address: string): Promise<() => Promise<void>> {
  const ada = nodes[0].browser({ address })
  await ada.logIn(ADA)
  const code = new TOTP({ secret: await setUp(ada) }).generate()
  const left: string[] = (await ada.post(CONFIRM, { code })).json.recovery_codes
  return async () => {
    const [next] = left
    if (next === undefined) return
    const statuses = await Promise.all(nodes.map(async (node) => codeOn(node, next)))
    if (statuses.every((status) => status === null)) return
    left.shift()
    seen.accepted.push(statuses.filter((status) => status === 204).length)
  }
}

async function codeOn(node: Reached, code: string): Promise<number | null> {
  const browser = node.browser()
  const login = await answered(browser.logIn(ADA))
  if (login?.json?.two_factor !== true) return null
  return (await answered(sendCode(browser, code)))?.status ?? null
}

/** Every node answers again by itself, and everybody is still in. */
async function expectEverybodyIn(nodes: Nodes, people: readonly Browser[]): Promise<void> {
  for (const node of nodes) {
    const requests = [
      ...people.map((one) => async () => node.meet(one).get(USER)),
      async () => node.browser().get('/readyz'),
    ]
    const statuses = async () =>
      Promise.all(requests.map(async (send) => (await answered(send()))?.status))
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([200, 200, 200, 200])
  }
}

/** The count is the same on every node, and a change on one reaches the streams of all. */
async function expectBell(nodes: Nodes, people: readonly Browser[]): Promise<void> {
  const [bea] = people
  if (bea === undefined) throw new Error('nobody is logged in')
  const streams = await Promise.all(nodes.map(async (node) => node.stream(node.meet(bea))))
  const { unread_count: count } = (await nodes[0].meet(bea).get(UNREAD_COUNT)).json
  for (const stream of streams) expect((await stream.next())?.data).toEqual({ unread_count: count })
  expect((await nodes[1].meet(bea).post(READ_ALL)).status).toBe(200)
  for (const stream of streams)
    await expect.poll(() => stream.told.at(-1)?.data).toEqual({ unread_count: 0 })
}
