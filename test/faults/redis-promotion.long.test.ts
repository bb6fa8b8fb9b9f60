import { describe, expect, it } from 'vitest'
import { makeReplica, startRedisCluster, startRedisSentinel } from '../../scripts/redis.mjs'
import { stoppedAfterTest } from '../support/after-test.ts'
import type { Browser } from '../support/browser.ts'
import { ownEnvironment, startPanelNode, type PanelNode } from '../support/nodes.ts'
import { USER } from '../support/paths.ts'
import { redisOfTest } from '../support/redis.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'

/*
 * A master that is frozen says nothing, and its replica takes over. The program is one, from before to after it.
 */

const BEA = 'bea@example.com'
const patience = { timeout: 20_000 }

describe('A panel whose Redis is frozen and replaced by its replica', () => {
  it('answers again without a restart, and nobody is logged out: behind the same address', async () => {
    const [master, replica] = [await redisOfTest(), await redisOfTest()]
    await makeReplica(replica.port, master.port)
    const proxy = await tcpProxy(master.url)
    const { panel, people } = await panelWithPeople(proxy.url)
    process.kill(master.pid, 'SIGSTOP')
    proxy.forget()
    proxy.leadTo(replica.url)
    await makeReplica(replica.port, null)
    await expectNobodyLoggedOut(panel, people)
  }, 60_000)

  it('answers again without a restart, and nobody is logged out: with a Sentinel', async () => {
    const sentinel = stoppedAfterTest(await startRedisSentinel())
    const { panel, people } = await panelWithPeople(sentinel.url)
    process.kill(sentinel.master.pid, 'SIGSTOP')
    await expectNobodyLoggedOut(panel, people)
  }, 60_000)

  it('answers again without a restart, and nobody is logged out: in a Cluster', async () => {
    const cluster = stoppedAfterTest(await startRedisCluster({ replicated: true }))
    const [{ password }] = cluster.urls.map((url) => new URL(url)) as [URL]
    const hosts = cluster.urls.map((url) => new URL(url).host).join(',')
    const { panel, people } = await panelWithPeople(`redis+cluster://:${password}@${hosts}`)
    const [first] = cluster.nodes
    process.kill(first?.pid ?? 0, 'SIGSTOP')
    await expectNobodyLoggedOut(panel, people)
  }, 60_000)
})

/** A panel on the address, and sessions enough for every shard. */
async function panelWithPeople(redisUrl: string) {
  const panel = await startPanelNode({ ...ownEnvironment(), REDIS_URL: redisUrl })
  const people: Browser[] = []
  for (let count = 0; count < 8; count += 1) {
    const browser = panel.browser()
    expect((await browser.logIn(BEA)).json).toEqual({ two_factor: false })
    people.push(browser)
  }
  return { panel, people }
}

async function expectNobodyLoggedOut(panel: PanelNode, people: readonly Browser[]): Promise<void> {
  const statuses = async () => Promise.all(people.map(async (one) => (await one.get(USER)).status))
  const seen = new Set<number>()
  await expect
    .poll(async () => {
      const now = await statuses()
      for (const status of now) seen.add(status)
      return now.every((status) => status === 200)
    }, patience)
    .toBe(true)
  await expect.poll(async () => (await panel.browser().get('/healthz')).status, patience).toBe(200)
  expect(seen.has(401)).toBe(false)
  expect((await panel.browser().logIn(BEA)).json).toEqual({ two_factor: false })
}
