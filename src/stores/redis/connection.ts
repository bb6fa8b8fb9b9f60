import { createHash, randomUUID } from 'node:crypto'
import { withoutValues } from '../../contracts/driver-errors.ts'
import { StoreError } from '../../contracts/errors.ts'
import type { RedisDriver, RedisScripts } from './driver.ts'
import { ioRedisDriver, type IoRedisClient } from './ioredis.ts'
import { repeatedWhileMoving } from './moving-slot.ts'
import { nodeRedisDriver, type NodeRedisClient } from './node-redis.ts'
import { reconnectingClient } from './reconnection.ts'
import { openSubscription, type Subscription, type SubscriptionListeners } from './subscription.ts'

/**
 * A Redis client of the host: of ioredis (`Redis`, also with Sentinels, or `Cluster`) or of
 * node-redis (client, cluster, pool). The stores open their own connections with its settings, and
 * send nothing over it.
 */
export type RedisClient = IoRedisClient | NodeRedisClient

/**
 * A Lua script: one atomic step. It declares all of its keys, which share a slot; where the server
 * has no slots, a script that only reads may have keys of several.
 */
export interface Script {
  readonly source: string
  readonly sha: string
}

/** Creates a script whose reply follows the id of its call, which is its last argument. */
export function script(step: string): Script {
  const source = `
    local call = table.remove(ARGV)
    local function step() ${step} end
    local reply = step()
    if type(reply) == 'table' and reply.err then return reply end
    return {call, reply or false}`
  // Redis identifies scripts by SHA-1; nothing secret is hashed.
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

type Argument = string | number

/** The operations on Redis that the stores use. */
export type RedisConnection = ReturnType<typeof connect>

export function connect(client: RedisClient) {
  const driver: RedisDriver = 'evalsha' in client ? ioRedisDriver(client) : nodeRedisDriver(client)
  let subscription: Subscription | null = null
  let replacements = 0
  const commands = reconnectingClient(driver, () => {
    replacements += 1
    // A replaced server may keep answering pings without receiving messages. In a Cluster every
    // node receives them.
    if (!driver.isCluster) subscription?.drop()
  })
  return {
    /** The server has slots, and refuses scripts with keys of several. */
    isCluster: driver.isCluster,
    /**
     * Runs a script. Redis caches it.
     *
     * @throws {StoreError} Redis failed or did not answer in time. Whether the step ran is then
     *   unknown.
     */
    run: async (step: Script, keys: readonly string[], args: readonly Argument[]) =>
      orStoreError(
        commands.run(async (scripts) =>
          repeatedWhileMoving(async () => evalSha(scripts, step, keys, args)),
        ),
        keys,
      ),
    /** Runs a script as `run` does, but does not repeat it while its slot moves to another node. */
    runOnce: async (step: Script, keys: readonly string[], args: readonly Argument[]) =>
      orStoreError(commands.run(async (scripts) => evalSha(scripts, step, keys, args))),
    /**
     * Runs a script as `run` does, and keeps the order of calls made one after another. Sends the
     * source: EVALSHA would repeat a script that Redis has not cached, after calls that followed
     * it.
     */
    runInOrder: async ({ source }: Script, keys: readonly string[], args: readonly Argument[]) =>
      orStoreError(
        commands.run(async (scripts) =>
          withCallId(args, async (argsWithId) => scripts.eval(source, keys, argsWithId)),
        ),
      ),
    /**
     * Subscribes to the channel of the bus over a separate connection.
     *
     * @returns a function that unsubscribes.
     * @throws {StoreError} Redis failed or did not answer in time.
     */
    async listen(channel: string, listeners: SubscriptionListeners) {
      // Only a connected client knows the nodes of the Cluster.
      if (driver.isCluster) await orStoreError(commands.run(async () => null))
      const before = replacements
      subscription = await orStoreError(openSubscription(driver, channel, listeners))
      // It may have been opened on the server that was replaced meanwhile.
      if (!driver.isCluster && replacements !== before) subscription.drop()
      return subscription.stop
    },
    /**
     * Waits for commands in flight; every later call throws. Idempotent. The host's client stays
     * open.
     */
    close: commands.close,
  }
}

/**
 * Awaits a reply, and converts its failure to a StoreError.
 *
 * @param keys Named if one of them holds a value that the service did not write.
 */
async function orStoreError<Result>(
  result: Promise<Result>,
  keys: readonly string[] = [],
): Promise<Result> {
  try {
    return await result
  } catch (thrown) {
    if (thrown instanceof StoreError) throw thrown
    // An error of ioredis holds its command. That of a Cluster may be AUTH with the password.
    const cause = withoutValues(thrown)
    // The keys contain hashes of ids, of users and of what is counted.
    const hint = /\bWRONGTYPE\b/.test(cause.message)
      ? `: another program has written one of its keys; delete that of ${keys.join(', ')} which is of another type`
      : ''
    throw new StoreError(`Redis failed${hint}`, { cause })
  }
}

async function evalSha(
  scripts: RedisScripts,
  { sha, source }: Script,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<unknown> {
  return withCallId(args, async (argsWithId) => {
    try {
      return await scripts.evalSha(sha, keys, argsWithId)
    } catch (error) {
      const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT')
      if (!isUnknown) throw error
      return scripts.eval(source, keys, argsWithId)
    }
  })
}

/**
 * Sends a script with an id, which its reply repeats. Replies have no address: where a driver or a
 * proxy delivers one too many, each later command gets that of another, such as the session of
 * another user. The error replaces the connection.
 *
 * @throws {StoreError} The reply is that of another call.
 */
async function withCallId(
  args: readonly Argument[],
  send: (args: readonly string[]) => Promise<unknown>,
): Promise<unknown> {
  const call = randomUUID()
  const reply = await send([...args.map(String), call])
  if (Array.isArray(reply) && reply[0] === call) return reply[1]
  throw new StoreError('Redis sent the reply of another call')
}
