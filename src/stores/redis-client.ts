/** A Redis client of the host, connected by the host: of ioredis (`Redis`, `Cluster`) or of node-redis (client, cluster, pool). */
export type RedisClient = IoRedisClient | NodeRedisClient

/** What the stores use of ioredis. */
export type IoRedisClient = IoRedisScripts & (IoRedisNode | IoRedisCluster)

interface IoRedisScripts {
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
}

interface IoRedisCluster {
  nodes(role: 'master'): readonly IoRedisNode[]
}

interface IoRedisNode {
  duplicate(options: {
    readonly autoResubscribe: false
    readonly keyPrefix: ''
    readonly lazyConnect: true
    readonly retryStrategy: () => null
  }): IoRedisLine
}

interface IoRedisLine extends DriverLine {
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
}

/** What the stores use of node-redis. */
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
  execute(task: (client: NodeRedisNode) => NodeRedisLine): Promise<NodeRedisLine>
}

interface NodeRedisCluster {
  readonly masters: readonly object[]
  nodeClient(master: object): Promise<NodeRedisNode>
}

interface NodeRedisNode {
  readonly options?: { readonly socket?: object }
  duplicate(options: { readonly socket: { readonly reconnectStrategy: false } }): NodeRedisLine
}

interface NodeRedisLine extends DriverLine {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  destroy(): void
  on(event: 'connect' | 'error', listener: () => void): unknown
}

interface DriverLine {
  connect(): Promise<unknown>
  ping(): Promise<unknown>
}

/** The one face of both drivers. */
export interface Driver {
  eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  evalSha(sha: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Makes a connection of its own for listening, which is not connected yet. */
  newLine(): Line
}

/** One connection, to one node. Whether it breaks or fails, it is not brought back: who needs it makes another. */
export interface Line {
  connect(): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  ping(): Promise<unknown>
  /** Idempotent. */
  hangUp(): void
  /** Calls the listener whenever something is wrong with it. */
  onTrouble(listener: () => void): void
}

/** Turns the host's client into the face that the stores know. */
export function driverOf(client: RedisClient): Driver {
  return 'evalsha' in client ? ioRedis(client) : nodeRedis(client)
}

function ioRedis(client: IoRedisClient): Driver {
  return {
    eval: async (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    evalSha: async (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
    newLine() {
      const node = 'nodes' in client ? anyOf(client.nodes('master')) : client
      const line = node.duplicate({
        autoResubscribe: false,
        // Channels have no prefix of the driver's, as with the other one.
        keyPrefix: '',
        lazyConnect: true,
        retryStrategy: () => null,
      })
      return {
        connect: async () => line.connect(),
        async subscribe(channel, listener) {
          line.on('message', (_channel: string, message: string) => listener(message))
          await line.subscribe(channel)
        },
        ping: async () => line.ping(),
        hangUp: () => line.disconnect(),
        onTrouble(listener) {
          line.on('error', listener)
          line.on('close', listener)
        },
      }
    },
  }
}

function nodeRedis(client: NodeRedisClient): Driver {
  return {
    eval: async (script, keys, args) =>
      client.eval(script, { keys: [...keys], arguments: [...args] }),
    evalSha: async (sha, keys, args) =>
      client.evalSha(sha, { keys: [...keys], arguments: [...args] }),
    newLine() {
      const made = nodeRedisLine(client)
      let wanted = true
      return {
        async connect() {
          const line = await made
          // What is destroyed while it waits for its socket goes on with it all the same.
          line.on('connect', () => {
            if (!wanted) line.destroy()
          })
          if (wanted) await line.connect()
        },
        subscribe: async (channel, listener) => (await made).subscribe(channel, listener),
        ping: async () => (await made).ping(),
        hangUp() {
          wanted = false
          // It rejects when there is nothing to hang up.
          made.then((line) => line.destroy()).catch(() => undefined)
        },
        onTrouble(listener) {
          made.then((line) => line.on('error', listener)).catch(listener)
        },
      }
    },
  }
}

async function nodeRedisLine(client: NodeRedisClient): Promise<NodeRedisLine> {
  if ('execute' in client) return client.execute(lineTo)
  if ('masters' in client) return lineTo(await client.nodeClient(anyOf(client.masters)))
  return lineTo(client)
}

function lineTo(node: NodeRedisNode): NodeRedisLine {
  return node.duplicate({ socket: { ...node.options?.socket, reconnectStrategy: false } })
}

function anyOf<One>(all: readonly One[]): One {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('the cluster has no master that is known')
  return one
}
