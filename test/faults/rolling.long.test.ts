import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { places, sharedEnvironment, startPanelNode, type PanelNode } from '../support/nodes.ts'
import { USER } from '../support/paths.ts'
import { isGone } from './load.ts'

const BEA = 'bea@example.com'
const NODES = 2
const PEOPLE = 4

describe('Nodes that are replaced one by one', () => {
  it.each(places)(
    'are not noticed by logged-in users: on %s',
    // A machine that is starved makes PostgreSQL silent for too long, which is 503: not twice in a row.
    { timeout: 120_000, retry: 1 },
    async (place) => {
      const environment = await sharedEnvironment(place)
      const nodes = [await startPanelNode(environment)]
      while (nodes.length < NODES) nodes.push(await startPanelNode(environment))
      const people = await Promise.all(
        Array.from({ length: PEOPLE }, async (_, at) => loggedIn(nodes[at % NODES])),
      )
      const state = { over: false }
      const answered = people.map(async (person) => {
        const statuses = new Set<number>()
        while (!state.over) {
          statuses.add(await askSomeNode([...nodes], person))
          // Without a pause the test itself would starve the servers.
          await pause(20)
        }
        return [...statuses]
      })
      for (let replaced = 0; replaced < NODES; replaced += 1) {
        const fresh = await startPanelNode(environment)
        const [old] = nodes.splice(0, 1)
        nodes.push(fresh)
        expect(await old?.end('SIGTERM')).toBe(0)
      }
      state.over = true
      expect(await Promise.all(answered)).toEqual(people.map(() => [200]))
    },
  )
})

async function loggedIn(node: PanelNode | undefined): Promise<Browser> {
  if (node === undefined) throw new Error('there is no node')
  const browser = node.browser()
  expect((await browser.logIn(BEA)).status).toBe(200)
  return browser
}

/** As whatever stands before the nodes does: it goes to the next one where the first does not listen any more. */
async function askSomeNode(nodes: readonly PanelNode[], browser: Browser): Promise<number> {
  for (const node of nodes) {
    try {
      return (await node.meet(browser).get(USER)).status
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  throw new Error('no node answers')
}
