import { createHash } from 'node:crypto'
import { StoreError } from '../../contracts.ts'
import { driverOf } from './host-client.ts'
import type { RedisClient } from './host-client.ts'
import type { RedisScripts } from './driver.ts'
import { reconnectingClient } from './reconnection.ts'
import { openSubscription } from './subscription.ts'
import type { Subscription, SubscriptionListeners } from './subscription.ts'

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
   * Listens to the one channel of the bus over a connection of its own.
   *
   * @returns how to stop.
   * @throws {StoreError} Redis failed, or did not answer in time.
   */
  listen(channel: string, listeners: SubscriptionListeners): Promise<() => void>
  /** Waits for what was sent; from now on everything throws. Idempotent. The host's client stays open. */
  close(): Promise<void>
}

type Argument = string | number

export function connect(client: RedisClient): RedisConnection {
  const driver = driverOf(client)
  let subscription: Subscription | null = null
  const commands = reconnectingClient(driver, () => {
    // A server that was replaced may go on answering pings, and gets no messages. In a Cluster every node gets them.
    if (!driver.isCluster) subscription?.drop()
  })
  return {
    run: async (step, keys, args) =>
      orStoreError(commands.run(async (scripts) => evalSha(scripts, step, keys, args.map(String)))),
    // A script that Redis does not know would be sent again, behind those that came after it.
    runInOrder: async ({ source }, keys, args) =>
      orStoreError(commands.run(async (scripts) => scripts.eval(source, keys, args.map(String)))),
    async listen(channel, listeners) {
      // Which nodes there are is known to a client that is connected.
      if (driver.isCluster) await orStoreError(commands.run(async () => null))
      subscription = await orStoreError(openSubscription(driver, channel, listeners))
      return subscription.stop
    },
    close: commands.close,
  }
}

async function orStoreError<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (cause) {
    throw cause instanceof StoreError ? cause : new StoreError('Redis failed', { cause })
  }
}

async function evalSha(
  scripts: RedisScripts,
  { sha, source }: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  try {
    return await scripts.evalSha(sha, keys, args)
  } catch (error) {
    const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT')
    if (!isUnknown) throw error
    return scripts.eval(source, keys, args)
  }
}
