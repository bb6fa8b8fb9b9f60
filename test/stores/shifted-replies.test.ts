import { describe, expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { closedAfterTest } from '../support/after-test.ts'
import type { Browser } from '../support/browser.ts'
import { garblingProxy } from '../support/garbling-proxy.ts'
import { loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { freshPrefix, ioRedis, nodeRedis, ofTest, redisOfTest } from '../support/redis.ts'
import { startService } from '../support/service.ts'

/*
 * A driver or a proxy that delivers one reply too many gives every later command the reply of the
 * command before it.
 */

const ONE_TOO_MANY = Buffer.from('*1\r\n$-1\r\n')

describe.each([
  ['ioredis', ioRedis],
  ['node-redis', nodeRedis],
] as const)('Replies of Redis that are one behind, through %s', (_, open) => {
  it('show nobody the session of another, and end with their connection', async () => {
    const server = await redisOfTest()
    const proxy = await garblingProxy(server.url)
    const client = ofTest(await open({}, proxy.url))
    const stores = closedAfterTest(redisStores(client, memoryStores(), { prefix: freshPrefix() }))
    const service = await startService({ stores })
    const people = {
      u1: await loggedIn(service, 'u1@x.test'),
      u4: await loggedIn(service, 'u4@x.test'),
    }
    const state = { isOver: false }
    const seen = Object.entries(people).map(async ([id, browser]) =>
      othersSeenBy(browser, state, id),
    )
    for (let times = 0; times < 8; times += 1) {
      await people.u1.get(USER)
      proxy.say(ONE_TOO_MANY)
    }
    state.isOver = true
    for (const ids of await Promise.all(seen)) expect(ids).toEqual([])
    await expect
      .poll(async () => (await people.u1.get(USER)).json.id, { timeout: 10_000 })
      .toBe('u1')
  })
})

/** Returns the other users whose data a browser received, once no reply is added any more. */
async function othersSeenBy(
  browser: Browser,
  state: { readonly isOver: boolean },
  id: string,
): Promise<readonly string[]> {
  const others = new Set<string>()
  while (!state.isOver) {
    const { status, json } = await browser.get(USER)
    if (status === 200 && json.id !== id) others.add(json.id)
  }
  return [...others]
}
