import { fakeClock } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { faultyStores } from '../../support/faulty-stores.ts'
import { loggedIn } from '../../support/logins.ts'
import { actAs, actingAs, goBack, startImpersonation } from '../../support/open-session.ts'
import { LOGOUT, USER } from '../../support/paths.ts'
import { UNLIMITED } from '../../support/second-factor.ts'
import { withCookiesOf } from '../../support/session-cookies.ts'
import { payloadsOf, somePeople, type TestService } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { GUEST, tally, verdict } from '../../support/verdicts.ts'

type Open = (typeof storesOfTwoNodes)[string]

async function startNodes(open: Open): Promise<readonly [TestService, TestService]> {
  return startNodesOn(await open())
}

async function startNodesOn([first, second]: Awaited<ReturnType<Open>>) {
  const appUrl = 'http://panel.test'
  const shared = { users: somePeople(), clock: fakeClock(), appUrl, config: UNLIMITED }
  return [
    await startImpersonation({ ...shared, stores: first }),
    await startImpersonation({ ...shared, stores: second }),
  ] as const
}

/** The ends of a session of a person who acts as another. Each returns whether it ended one. */
const ENDS: Readonly<Record<string, (node: TestService, copy: Browser) => Promise<boolean>>> = {
  async 'a logout'(node, copy) {
    const before = payloadsOf(node, 'logout').length
    await copy.post(LOGOUT)
    await settled()
    return payloadsOf(node, 'logout').length > before
  },
  'the end of the sessions of the user': async ({ auth }) => (await auth.endSessions('u4')) > 0,
  'the end of the sessions of the person': async ({ auth }) => (await auth.endSessions('u1')) > 0,
}

/** Returns browsers with the same cookies, in turn on the first and the second node. */
function copiesOf(nodes: readonly [TestService, TestService], browser: Browser, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const node = nodes[index % 2 === 0 ? 0 : 1]
    return { node, copy: withCookiesOf(browser, node.browser()) }
  })
}

describe.each(Object.entries(storesOfTwoNodes))(
  'Impersonation on two nodes with %s',
  (_name, open) => {
    it('IMP-10: begins once for many requests of one session at once', async () => {
      const nodes = await startNodes(open)
      const una = await loggedIn(nodes[0])
      const copies = copiesOf(nodes, una, 6)
      const openings = await Promise.all(copies.map(async ({ node, copy }) => actAs(node, copy)))
      expect(tally(openings.map(({ outcome }) => outcome))).toEqual({ opened: 1, refused: 5 })
      const winner = copies[openings.findIndex(({ outcome }) => outcome === 'opened')]
      expect((await winner?.copy.get(USER))?.json).toMatchObject({ id: 'u4' })
      // The own session that is kept for the way back.
      expect(await nodes[1].auth.endSessions('u1')).toBe(1)
    })

    it('IMP-06: gives one way back to many requests at once', async () => {
      const nodes = await startNodes(open)
      const una = await actingAs(nodes[0], await loggedIn(nodes[0]))
      const copies = copiesOf(nodes, una, 6)
      const answers = await Promise.all(copies.map(async ({ copy }) => goBack(copy)))
      expect(tally(answers.map(verdict))).toEqual({ ok: 1, [GUEST]: 5 })
      const winner = copies[answers.findIndex(({ status }) => status === 204)]
      expect((await winner?.copy.get(USER))?.json).toMatchObject({ id: 'u1' })
      expect(await nodes[1].auth.endSessions('u1')).toBe(1)
      expect(await nodes[0].auth.endSessions('u4')).toBe(0)
    })

    it.each(Object.entries(ENDS))('IMP-18: is not undone by the way back: %s', async (_, ends) => {
      const [first, second] = await open()
      const stores = faultyStores(first)
      const nodes = await startNodesOn([stores, second])
      const interrupted: boolean[] = []
      for (let at = 1; interrupted.length === at - 1; at += 1) {
        const una = await actingAs(nodes[0], await loggedIn(nodes[0]))
        const copy = withCookiesOf(una, nodes[1].browser())
        stores.breakAt(Infinity, 'fails')
        stores.interruptAt(at, async () => void interrupted.push(await ends(nodes[1], copy)))
        await goBack(una)
        stores.repair()
        const after = verdict(await una.get(USER))
        const left = await nodes[1].auth.endSessions('u1')
        const hasEnded = interrupted[at - 1] ?? false
        expect([hasEnded, after, left]).toEqual(hasEnded ? [true, GUEST, 0] : [false, 'ok', 1])
      }
      expect(interrupted).toContain(true)
    })

    it('IMP-05: ends on one node with the sessions that another one ends', async () => {
      const nodes = await startNodes(open)
      const una = await actingAs(nodes[0], await loggedIn(nodes[0]))
      await nodes[1].auth.endSessions('u1')
      expect(verdict(await una.get(USER))).toBe(GUEST)
    })

    it('IMP-16: leaves no own session behind when another node ends that of the user', async () => {
      const nodes = await startNodes(open)
      await actingAs(nodes[0], await loggedIn(nodes[0]))
      const answers = [nodes[1], nodes[0], nodes[1]].map(async ({ auth }) => auth.endSessions('u4'))
      expect((await Promise.all(answers)).reduce((sum, ended) => sum + ended)).toBe(1)
      expect(await nodes[0].auth.endSessions('u1')).toBe(0)
      await settled()
      const reported = nodes.flatMap((node) => payloadsOf(node, 'impersonation.ended'))
      expect(reported).toHaveLength(1)
    })
  },
)
