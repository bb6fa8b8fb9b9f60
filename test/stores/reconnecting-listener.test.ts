import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReconnectingListener } from '../../build/src/stores/reconnecting-listener.js'

/** The upper bounds of the first delays, in milliseconds: each twice the one before. */
const boundsMs = [100, 200, 400, 800]
const longestMs = 5000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // The random delay is the longest that the bound allows.
  vi.spyOn(Math, 'random').mockReturnValue(1)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the connection on which a bus listens', () => {
  it('is opened once by all that subscribe at the same moment', async () => {
    const { listener, server } = listenerOfTest()
    await Promise.all([listener.listening(), listener.listening(), listener.listening()])
    expect(server.attempts).toBe(1)
  })

  it('reports a failed first attempt to the subscriber and is not retried without one', async () => {
    const { listener, server } = listenerOfTest()
    server.isDown = true
    await expect(listener.listening()).rejects.toThrow('down')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.attempts).toBe(1)
    server.isDown = false
    await listener.listening()
    expect([server.attempts, server.reconnections]).toEqual([2, 0])
  })

  it('is opened again after a loss, which is reported once', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    server.lose()
    await vi.advanceTimersByTimeAsync(boundsMs[0] ?? 0)
    expect([server.attempts, server.reconnections]).toEqual([2, 1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([server.attempts, server.reconnections]).toEqual([2, 1])
  })

  it('is retried after delays that double until it is open, and from the start after the next loss', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    for (let loss = 1; loss <= 2; loss += 1) {
      const before = server.attempts
      server.isDown = true
      server.lose()
      for (const [failures, boundMs] of boundsMs.entries()) {
        await vi.advanceTimersByTimeAsync(boundMs - 1)
        expect(server.attempts - before).toBe(failures)
        await vi.advanceTimersByTimeAsync(1)
        expect(server.attempts - before).toBe(failures + 1)
      }
      expect(server.reconnections).toBe(loss - 1)
      server.isDown = false
      await vi.advanceTimersByTimeAsync(longestMs)
      expect(server.reconnections).toBe(loss)
    }
  })

  it(`is retried at least every ${longestMs / 1000} seconds`, async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    server.isDown = true
    server.lose()
    await vi.advanceTimersByTimeAsync(60_000)
    const before = server.attempts
    await vi.advanceTimersByTimeAsync(longestMs)
    expect(server.attempts).toBe(before + 1)
  })

  it('is opened at once by a subscriber after a loss, without a second connection later', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    server.lose()
    await vi.advanceTimersByTimeAsync((boundsMs[0] ?? 0) / 2)
    await listener.listening()
    expect([server.attempts, server.reconnections]).toEqual([2, 1])
    server.lose()
    await vi.advanceTimersByTimeAsync((boundsMs[0] ?? 0) - 1)
    expect(server.attempts).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.attempts).toBe(3)
  })

  it('is retried neither later nor more often because subscribers fail meanwhile', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    server.isDown = true
    server.lose()
    for (let subscriber = 0; subscriber < 5; subscriber += 1)
      await expect(listener.listening()).rejects.toThrow('down')
    await vi.advanceTimersByTimeAsync(boundsMs[0] ?? 0)
    expect(server.attempts).toBe(7)
    await vi.advanceTimersByTimeAsync((boundsMs[1] ?? 0) - 1)
    expect(server.attempts).toBe(7)
    server.isDown = false
    await vi.advanceTimersByTimeAsync(1)
    expect([server.attempts, server.reconnections]).toEqual([8, 1])
  })

  it('is opened again when it is lost in the moment in which it opens', async () => {
    const { listener, server } = listenerOfTest()
    server.losesAtOnce = true
    await listener.listening()
    expect(server.reconnections).toBe(0)
    server.losesAtOnce = false
    await vi.advanceTimersByTimeAsync(boundsMs[0] ?? 0)
    expect([server.attempts, server.reconnections]).toEqual([2, 1])
  })

  it('stays closed once the bus is closed', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    listener.close()
    listener.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.open).toBe(0)
    server.lose()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.attempts).toBe(1)
    await expect(listener.listening()).rejects.toMatchObject({ name: 'StoreError' })
  })

  it('is not opened by an attempt that was scheduled before the bus was closed', async () => {
    const { listener, server } = listenerOfTest()
    await listener.listening()
    server.lose()
    listener.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.attempts).toBe(1)
  })

  it('is closed when the bus was closed while it opened', async () => {
    const { listener, server } = listenerOfTest()
    const opening = listener.listening()
    listener.close()
    await opening
    await vi.advanceTimersByTimeAsync(0)
    expect([server.attempts, server.open]).toEqual([1, 0])
  })
})

/** A listener, and the server to which it connects. */
function listenerOfTest() {
  let onLostOfConnection = (): void => undefined
  const server = {
    isDown: false,
    losesAtOnce: false,
    attempts: 0,
    open: 0,
    reconnections: 0,
    lose: () => onLostOfConnection(),
  }
  const listener = createReconnectingListener({
    async open(onLost) {
      server.attempts += 1
      if (server.isDown) throw new Error('the server is down')
      server.open += 1
      onLostOfConnection = onLost
      if (server.losesAtOnce) queueMicrotask(onLost)
      return () => void (server.open = 0)
    },
    onReconnect: () => void (server.reconnections += 1),
  })
  return { listener, server }
}
