import { setMaxListeners } from 'node:events'
import { sample, sampleInTurn } from './random.ts'
import type { RedisDriver, RedisScripts, RedisSubscriber, SubscriberListeners } from './driver.ts'

/** The parts of node-redis that the stores use. */
export type NodeRedisClient = NodeRedisScripts & (NodeRedisNode | NodeRedisPool | NodeRedisCluster)

interface NodeRedisScripts {
  eval(script: string, options: NodeRedisCall): Promise<unknown>
  evalSha(sha: string, options: NodeRedisCall): Promise<unknown>
}

interface NodeRedisCall {
  readonly keys: string[]
  readonly arguments: string[]
}

interface NodeRedisPool {
  execute(task: (client: NodeRedisNode) => NodeRedisNode): Promise<NodeRedisNode>
}

interface NodeRedisNode {
  readonly options?: { readonly socket?: object }
  duplicate(options: object): NodeRedisConnection
}

interface NodeRedisConnection extends NodeRedisScripts, Connection {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  ping(): Promise<unknown>
}

interface NodeRedisCluster {
  readonly masters: readonly ClusterNode[]
  nodeClient(master: ClusterNode): Promise<NodeRedisNode>
  duplicate(options: object): NodeRedisScripts & NodeRedisCluster & Connection
}

interface ClusterNode {
  readonly host: string
  readonly port: number
  readonly client?: NodeRedisNode | undefined
}

interface Connection {
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error', listener: () => void): unknown
}

export function nodeRedisDriver(client: NodeRedisClient): RedisDriver {
  if ('masters' in client) return clusterDriver(client)
  return nodeDriver(async () => ('execute' in client ? client.execute((one) => one) : client))
}

/**
 * Creates the driver.
 *
 * @param findTemplate Returns the client whose settings the stores' connections copy.
 */
function nodeDriver(findTemplate: () => Promise<NodeRedisNode>): RedisDriver {
  return {
    isCluster: false,
    async connect(signal, onClose) {
      const own = duplicateOf(await findTemplate(), signal)
      await connected(own, signal, onClose)
      return scriptsOf(own)
    },
    subscribe: async (signal, channel, listeners) =>
      subscribe(await findTemplate(), signal, channel, listeners),
  }
}

function clusterDriver(client: NodeRedisCluster): RedisDriver {
  let latest = client
  let attempts = 0
  const nextMaster = sampleInTurn(addressOf, ({ client: ofNode }) => ofNode !== undefined)
  return {
    isCluster: true,
    async connect(signal) {
      attempts += 1
      const defaults = connectionOptions(await anyNodeOf(latest), signal)
      const rootNodes = latest.masters.map(({ host, port }) => ({ socket: { host, port } }))
      const own = client.duplicate({
        defaults,
        clientSideCache: undefined,
        commandOptions: undefined,
        // A silent node must not block the use of the others.
        minimizeConnections: true,
        // Both the nodes that the host named and the last known ones may be gone.
        ...(attempts % 2 === 0 && rootNodes.length > 0 && { rootNodes }),
      })
      // A cluster also reports unreachable nodes; only its commands show whether it is usable.
      await connected(own, signal, ignore)
      latest = own
      return scriptsOf(own)
    },
    async subscribe(signal, channel, listeners) {
      const master = nextMaster(latest.masters)
      const node = master.client ?? (await latest.nodeClient(master))
      return subscribe(node, signal, channel, listeners)
    },
  }
}

/** Returns a node of the cluster, preferably a connected one. */
async function anyNodeOf(cluster: NodeRedisCluster): Promise<NodeRedisNode> {
  const { masters } = cluster
  const used = masters.flatMap(({ client }) => client ?? [])
  return used.length > 0 ? sample(used) : cluster.nodeClient(sample(masters))
}

function addressOf({ host, port }: ClusterNode): string {
  return `${host}:${port}`
}

function duplicateOf(node: NodeRedisNode, signal: AbortSignal): NodeRedisConnection {
  return node.duplicate(connectionOptions(node, signal))
}

function connectionOptions({ options }: NodeRedisNode, signal: AbortSignal): object {
  return {
    ...options,
    clientSideCache: undefined,
    commandOptions: undefined,
    // Commands that cannot be sent must fail at once.
    disableOfflineQueue: true,
    // `signal` is an option of net.connect, so that no socket outlives it, not even a connecting
    // one.
    socket: { ...options?.socket, reconnectStrategy: false, signal },
  }
}

async function subscribe(
  node: NodeRedisNode,
  signal: AbortSignal,
  channel: string,
  { onMessage, onClose }: SubscriberListeners,
): Promise<RedisSubscriber> {
  const own = duplicateOf(node, signal)
  await connected(own, signal, onClose)
  await own.subscribe(channel, onMessage)
  return { ping: async () => own.ping() }
}

async function connected(own: Connection, signal: AbortSignal, onClose: () => void): Promise<void> {
  signal.throwIfAborted()
  // Every socket of a cluster adds a listener.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', () => destroy(own), { once: true })
  // The client does not reconnect, so every error is final.
  own.on('error', onClose)
  await own.connect()
}

function destroy(own: Connection): void {
  try {
    own.destroy()
  } catch {
    // The client was not fully open; its sockets end with the signal.
  }
}

function ignore(): void {}

function scriptsOf(own: NodeRedisScripts): RedisScripts {
  return {
    eval: async (script, keys, args) => own.eval(script, { keys: [...keys], arguments: [...args] }),
    evalSha: async (sha, keys, args) => own.evalSha(sha, { keys: [...keys], arguments: [...args] }),
  }
}
