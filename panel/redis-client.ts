import { once } from 'node:events'
import { Redis } from 'ioredis'
import { reasonOf } from './reason.ts'

/** A server that is silent for so long is down: the service answers 503 within two seconds. */
const SILENCE_MS = 1500
const LONGEST_PAUSE_MS = 1000

/**
 * Connects to Redis, and again whenever the connection is lost. While there is none, commands fail at once.
 *
 * @param url Such as `redis://:password@localhost:6379`.
 * @param log Gets one line for each outage.
 * @throws {Error} It cannot be reached now.
 */
export async function connectRedis(url: string, log: (line: string) => void): Promise<Redis> {
  const client = new Redis(url, {
    connectTimeout: SILENCE_MS,
    commandTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    // What was sent may have been done: it is not counted, and nothing used up, a second time.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE_MS),
  })
  try {
    await once(client, 'ready')
  } catch (error) {
    client.disconnect()
    throw error
  }
  tellOutages(client, log)
  return client
}

/** Each attempt to connect fails with an error of its own; the first of them is told. */
function tellOutages(client: Redis, log: (line: string) => void): void {
  let isDown = false
  client.on('ready', () => {
    if (isDown) log('Redis answers again.')
    isDown = false
  })
  client.on('error', (error: unknown) => {
    // The message only: what was sent is part of the error, and may be the password.
    if (!isDown) log(`The connection to Redis broke: ${reasonOf(error)}`)
    isDown = true
  })
}
