import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { onFreePort } from '../../scripts/free-port.mjs'

it('a server starts on another port where a program takes the first before it listens', async () => {
  const ports: number[] = []
  await onFreePort(async (port) => {
    ports.push(port)
    if (ports.length === 1) await listening(port)
    return listening(port)
  })
  expect(new Set(ports).size).toBe(2)
})

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server
}
