import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies wait for each answer; a few programs send some requests ahead. */
const MOST = 100

/**
 * Limits the requests that a client sends without waiting for answers, and drops the connection of
 * one that sends more. Node starts all of them at once, a thousand with each piece that it reads.
 */
export function limitPipelining(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  const add = (socket: Socket, count: number): number => {
    const sum = (waiting.get(socket) ?? 0) + count
    waiting.set(socket, sum)
    return sum
  }
  return (request, response) => {
    // Node gives a response its socket once those before it are sent.
    if (response.socket === null) {
      const { socket } = request
      if (add(socket, 1) >= MOST) return void socket.destroy()
      response.once('close', () => add(socket, -1))
    }
    handler(request, response)
  }
}
