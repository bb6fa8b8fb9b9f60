import { describe, expect, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { openStores, type SqlServer } from './sql-servers.ts'

/** Subscribes to a topic. @returns the messages, as they arrive. */
export async function listen({ bus }: Stores, topic: string): Promise<readonly string[]> {
  const heard: string[] = []
  await bus.subscribe(topic, (message) => void heard.push(message))
  return heard
}

/** The tests of the bus that hold for each database server. */
export function describeBus(server: SqlServer): void {
  const open = async (url: string) => openStores(server, url)

  describe(`the bus between nodes on ${server.name}`, () => {
    it('delivers the messages of one node to the listeners of all, in order', async () => {
      const url = await server.empty()
      const [one, other] = [await open(url), await open(url)]
      const heard = [await listen(one, 'topic'), await listen(other, 'topic')]
      for (const message of ['first', '', 'third']) await other.bus.publish('topic', message)
      for (const messages of heard) {
        await expect.poll(() => messages).toEqual(['first', '', 'third'])
      }
    })

    it('accepts topics of any length, and distinguishes them by every character', async () => {
      const stores = await open(await server.empty())
      const topic = 'Ü'.repeat(100_000)
      const [heard, others] = [await listen(stores, `${topic}1`), await listen(stores, `${topic}2`)]
      await stores.bus.publish(`${topic}1`, 'message')
      await expect.poll(() => heard).toEqual(['message'])
      expect(others).toEqual([])
    })

    it('refuses a large message, and delivers the next', async () => {
      const stores = await open(await server.empty())
      const heard = await listen(stores, 'topic')
      const publish = async (message: string) => stores.bus.publish('topic', message)
      await expect(publish('m'.repeat(8001))).rejects.toMatchObject({ name: 'StoreError' })
      await publish('small')
      await expect.poll(() => heard).toEqual(['small'])
    })

    it('publishes nothing and accepts no listener once it is closed', async () => {
      const stores = await server.stores(await server.empty())
      await stores.close()
      const { bus } = stores
      await expect(async () => bus.publish('topic', '')).rejects.toThrow('closed')
      await expect(async () => bus.subscribe('topic', () => undefined)).rejects.toThrow('closed')
    })
  })
}
