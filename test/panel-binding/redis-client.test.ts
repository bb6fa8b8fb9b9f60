import { expect, it, onTestFinished } from 'vitest'
import { connectRedis } from '../../dist/panel/redis-client.js'
import { startRedis } from '../../scripts/redis.mjs'
import { standIn } from '../support/stand-in.ts'

it('logs an outage of Redis and its end once each; commands fail at once meanwhile', async () => {
  const log: string[] = []
  const redis = await startRedis()
  const client = await connectRedis(redis.url, (line) => log.push(line))
  onTestFinished(() => client.disconnect())
  const attempts = new Promise<void>((resolve) => {
    let failed = 0
    client.on('error', () => void ((failed += 1) === 4 && resolve()))
  })
  await redis.stop()
  await attempts
  // The next attempt is 200 ms away.
  const since = performance.now()
  await expect(client.ping()).rejects.toThrow()
  expect(performance.now() - since).toBeLessThan(100)
  const same = { port: redis.port, options: {} }
  const again = await startRedis(same)
  onTestFinished(async () => again.stop())
  await expect.poll(async () => client.ping().catch(() => null), { timeout: 5000 }).toBe('PONG')
  expect(log).toEqual([
    expect.stringMatching(/^The connection to Redis broke: .*ECONNREFUSED/),
    'Redis answers again.',
  ])
})

it('does not wait for a hanging Redis at the start', async () => {
  const redis = await startRedis()
  onTestFinished(async () => redis.stop())
  const between = await standIn(redis.url)
  between.hang()
  const since = performance.now()
  await expect(connectRedis(between.url, () => undefined)).rejects.toThrow(/timed out/i)
  expect(performance.now() - since).toBeLessThan(2000)
})

it('does not repeat commands that were sent when the connection broke', async () => {
  const redis = await startRedis()
  onTestFinished(async () => redis.stop())
  const between = await standIn(redis.url)
  const client = await connectRedis(between.url, () => undefined)
  onTestFinished(() => client.disconnect())
  between.hang()
  const counted = expect(client.incr('counted')).rejects.toThrow()
  between.recover()
  await counted
  await expect.poll(async () => client.get('counted').catch(() => 'down')).toBeNull()
})
