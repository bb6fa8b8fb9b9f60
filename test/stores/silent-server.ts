import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { answersWithin } from '../support/time.ts'
import { everyMethodAnswers, everyMethodFails, failsSoon, SOON_MS } from './every-method.ts'
import { login } from './records.ts'
import { openStores, startNode, type SqlServer } from './sql-servers.ts'

/** The tests of stores whose server accepts connections and does not answer. */
export function describeSilentServer(server: SqlServer): void {
  /** Opens stores by a proxy that can fall silent. */
  async function openByProxy() {
    const url = await server.empty()
    const proxy = await tcpProxy(url)
    return { url, proxy, stores: await openStores(server, proxy.url) }
  }

  describe(`a server of ${server.name} that accepts connections and does not answer`, () => {
    it('makes every method throw a StoreError within two seconds, and needs no restart', async () => {
      const { proxy, stores } = await openByProxy()
      await everyMethodAnswers(stores)
      proxy.hold()
      await everyMethodFails(stores)
      // Not only with the connections that hung, but with those that cannot be opened.
      await everyMethodFails(stores)
      proxy.resume()
      await everyMethodAnswers(stores)
    })

    it('throws a StoreError at the start', async () => {
      const proxy = await tcpProxy(await server.empty())
      proxy.hold()
      await failsSoon('start', () => server.stores(proxy.url))
    })

    it('lets the stores be closed', async () => {
      const { proxy, stores } = await openByProxy()
      await stores.bus.subscribe('topic', () => undefined)
      proxy.hold()
      await answersWithin(SOON_MS, async () => stores.close())
    })

    it('keeps no process alive once the stores are closed', async () => {
      const proxy = await tcpProxy(await server.empty())
      const child = startNode(server, proxy.url)
      await once(child, 'message')
      proxy.hold()
      child.send('close')
      expect(await once(child, 'exit')).toEqual([0, null])
    })

    it('never confirms a write whose answer was lost', async () => {
      const { url, proxy, stores } = await openByProxy()
      const elsewhere = await openStores(server, url)
      await elsewhere.pendingLogins.create('key', login)
      // The statement is prepared, so that only its answer is missing.
      await stores.pendingLogins.consume('another', 0)
      proxy.hold()
      await failsSoon('consume', () => stores.pendingLogins.consume('key', 0))
      expect(await elsewhere.pendingLogins.read('key', 0)).toBeNull()
    })
  })

  describe(`a server of ${server.name} that takes 0.3 s for each answer`, () => {
    it('serves calls on new connections, once they are open', async () => {
      const { proxy, stores } = await openByProxy()
      proxy.slow(300)
      proxy.cut()
      await expect
        .poll(async () => Promise.resolve(stores.attempts.count('key', 0)).catch(() => null), {
          timeout: 10_000,
        })
        .toBe(0)
    })
  })

  describe(`connections to ${server.name} that are cut`, () => {
    it('cause a StoreError at most, end no process and are replaced, used or idle', async () => {
      const { proxy, stores } = await openByProxy()
      await Promise.all([1, 2, 3].map(async () => stores.check()))
      proxy.cut()
      await expect
        .poll(async () => Promise.resolve(stores.attempts.count('key', 0)).catch(() => null))
        .toBe(0)
      proxy.hold()
      const asked = Promise.resolve(stores.check())
      setImmediate(() => proxy.cut())
      await expect(asked).rejects.toMatchObject({ name: 'StoreError' })
      proxy.resume()
      await everyMethodAnswers(stores)
    })
  })
}
