import { createHash } from 'node:crypto'
import { StoreError } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import { withDeadline } from './deadline.ts'
import { driverOf } from './redis-client.ts'
import type { Driver, Line, RedisClient } from './redis-client.ts'

/** A Lua script: one atomic step. All of its keys are declared, and share a slot. */
export interface Script {
  readonly source: string
  readonly sha: string
}

export function script(source: string): Script {
  // What Redis itself knows scripts by; nothing secret is hashed.
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

/** Redis, as the stores use it. */
export interface RedisConnection {
  /**
   * Runs a script, which Redis remembers.
   *
   * @throws {StoreError} Redis failed, or did not answer in time: whether the step was done is not known then.
   */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>
  /** As `run`, and steps that are begun one after the other are done in that order. */
  runInOrder(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>
  /**
   * Listens to a channel over a connection of its own.
   *
   * @param lost Called once, when nothing more will be heard. Not called after the returned function.
   * @returns how to stop.
   * @throws {StoreError} Redis failed, or did not answer in time.
   */
  listen(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => void>
  /** From now on everything throws. Idempotent. The host's client stays open. */
  close(): void
}

type Argument = string | number

export function connect(client: RedisClient): RedisConnection {
  const driver = driverOf(client)
  let open = true
  async function answer<Result>(step: () => Promise<Result>): Promise<Result> {
    if (!open) throw new StoreError('the stores are closed')
    try {
      return await step()
    } catch (cause) {
      throw cause instanceof StoreError ? cause : new StoreError('Redis failed', { cause })
    }
  }
  return {
    run: async (step, keys, args) =>
      answer(async () => inTime(remembered(driver, step, keys, args.map(String)))),
    // A script that Redis does not know would be sent again, behind those that came after it.
    runInOrder: async ({ source }, keys, args) =>
      answer(async () => inTime(driver.eval(source, keys, args.map(String)))),
    listen: async (channel, heard, lost) =>
      answer(async () => openLine(driver.newLine(), channel, heard, lost)),
    close() {
      open = false
    },
  }
}

async function remembered(
  driver: Driver,
  { sha, source }: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  try {
    return await driver.evalSha(sha, keys, args)
  } catch (error) {
    const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT')
    if (!isUnknown) throw error
    return driver.eval(source, keys, args)
  }
}

/** Subscribes, and tells once when the connection is lost: by its own word or by its silence. */
async function openLine(
  line: Line,
  channel: string,
  heard: (message: string) => void,
  lost: () => void,
): Promise<() => void> {
  const trouble = new Promise<never>((_, reject) => {
    line.onTrouble(() => reject(new StoreError('the connection to Redis was lost')))
  })
  try {
    await inTime(Promise.race([subscribed(line, channel, heard), trouble]))
  } catch (error) {
    line.hangUp()
    throw error
  }
  let over = false
  const ping = (): void => void inTime(line.ping()).catch(drop)
  const pings = setInterval(ping, times.busHeartbeatSeconds * 1000).unref()
  function stop(): void {
    over = true
    clearInterval(pings)
    line.hangUp()
  }
  function drop(): void {
    if (over) return
    stop()
    lost()
  }
  trouble.catch(drop)
  return stop
}

async function subscribed(
  line: Line,
  channel: string,
  heard: (message: string) => void,
): Promise<void> {
  await line.connect()
  await line.subscribe(channel, heard)
}

/** A client may queue what it cannot send; whoever asks does not wait for that. */
async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
  return withDeadline('Redis', async (inTime) => inTime(answer))
}
