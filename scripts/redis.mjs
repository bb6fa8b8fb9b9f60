import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { ensureProgram } from './programs.mjs'

const password = 'only-for-tests'
const patienceMs = 10_000

/**
 * Starts a Redis of its own on this machine, with a password.
 *
 * @param {object} [where]
 * @param {string} [where.folder] Folder of an append-only file, synced on every write; without it,
 *   nothing is persisted.
 * @param {number} [where.port] Port of an earlier server; without it, a free one.
 * @param {Record<string, string | number>} [where.options] More options of redis-server, like `{
 *   '--maxmemory': '4mb' }`.
 * @returns {Promise<{ url: string, port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis({ folder, port, options = {} } = {}) {
  const own = folder === undefined ? mkdtempSync(join(tmpdir(), 'svc-redis-')) : null
  const at = port ?? (await freePort())
  const settings = {
    '--bind': '127.0.0.1',
    '--port': at,
    '--dir': own ?? folder,
    '--requirepass': password,
    '--save': '',
    '--appendonly': own === null ? 'yes' : 'no',
    '--appendfsync': 'always',
    ...options,
  }
  const server = spawn(ensureProgram('redis'), Object.entries(settings).flat().map(String), {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => {
    server.once('exit', resolve)
    server.once('error', resolve)
  })
  // A killed test run must leave no server behind.
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  // The pid is missing if the start failed, which the first query reports.
  const pid = server.pid ?? 0
  const redis = {
    url: `redis://:${password}@127.0.0.1:${at}`,
    port: at,
    pid,
    async stop() {
      process.off('exit', kill)
      // SIGKILL also ends a suspended server.
      kill()
      await ended
      if (own !== null) rmSync(own, { recursive: true, force: true })
    },
  }
  try {
    await answers(at, ended)
  } catch (error) {
    await redis.stop()
    throw error
  }
  return redis
}

/**
 * Starts a master with a replica, and a Sentinel that promotes the replica if the master does not
 * answer for a second.
 *
 * @returns {Promise<{ url: string, name: string, master: { pid: number }, stop: () => Promise<void>
 *   }>} the Sentinel.
 */
export async function startRedisSentinel() {
  const name = 'panel'
  const options = { '--masterauth': password }
  const servers = [await startRedis({ options }), await startRedis({ options })]
  const [master, replica] = servers
  await ask(replica.port, 'REPLICAOF', '127.0.0.1', master.port)
  await until('the replica is in step', async () =>
    (await ask(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
  )
  const folder = mkdtempSync(join(tmpdir(), 'svc-sentinel-'))
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  const settings = [
    `bind 127.0.0.1`,
    `port ${port}`,
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
    `sentinel auth-pass ${name} ${password}`,
    `sentinel down-after-milliseconds ${name} 1000`,
    `sentinel failover-timeout ${name} 5000`,
  ]
  writeFileSync(file, settings.join('\n'))
  const sentinel = spawn(ensureProgram('redis'), [file, '--sentinel'], { stdio: 'ignore' })
  const ended = new Promise((resolve) => sentinel.once('exit', resolve))
  // A killed test run must leave no Sentinel behind.
  const kill = () => sentinel.kill('SIGKILL')
  process.once('exit', kill)
  await until('the Sentinel knows the replica', async () =>
    (await ask(port, 'SENTINEL', 'REPLICAS', name).catch(() => '')).includes(String(replica.port)),
  )
  return {
    url: `redis+sentinel://:${password}@127.0.0.1:${port}/${name}`,
    name,
    master,
    async stop() {
      process.off('exit', kill)
      kill()
      await ended
      await Promise.all(servers.map((server) => server.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Promotes the server to master, or makes it a replica of the one at the other port.
 *
 * @param {number} port
 * @param {number | null} master
 */
export async function makeReplica(port, master) {
  await ask(port, 'CONFIG', 'SET', 'masterauth', password)
  await ask(port, 'REPLICAOF', ...(master === null ? ['NO', 'ONE'] : ['127.0.0.1', master]))
  if (master === null) return
  await until('the replica is in step', async () =>
    (await ask(port, 'INFO', 'replication')).includes('master_link_status:up'),
  )
}

/**
 * Starts a Cluster of three masters, optionally with a replica for the first, which takes over if
 * its master does not answer for a second.
 *
 * @param {{ replicated?: boolean }} [how]
 * @returns {Promise<{ urls: string[], nodes: { url: string, pid: number }[], stop: () =>
 *   Promise<void> }>}
 */
export async function startRedisCluster({ replicated = false } = {}) {
  const nodes = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    for (const slots of [
      [0, 5460],
      [5461, 10_922],
      [10_923, 16_383],
      ...(replicated ? [[]] : []),
    ]) {
      const busPort = await freePort()
      const options = clusterOptions(busPort)
      nodes.push({ ...(await startRedis({ options })), slots, busPort })
    }
    for (const { port, slots } of nodes) {
      if (slots.length > 0) await ask(port, 'CLUSTER', 'ADDSLOTSRANGE', ...slots)
      for (const other of nodes) {
        await ask(port, 'CLUSTER', 'MEET', '127.0.0.1', other.port, other.busPort)
      }
    }
    for (const { port } of nodes) await agrees(port, nodes.length)
    if (replicated) await replicateFirst(nodes)
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: nodes.map(({ url }) => url), nodes, stop }
}

function clusterOptions(busPort) {
  return {
    '--cluster-enabled': 'yes',
    '--cluster-port': busPort,
    '--cluster-node-timeout': 1000,
    '--masterauth': password,
  }
}

async function replicateFirst(nodes) {
  const replica = nodes.at(-1)
  const [, id] = /\r\n([0-9a-f]{40})\r\n/.exec(await ask(nodes[0].port, 'CLUSTER', 'MYID')) ?? []
  await ask(replica.port, 'CLUSTER', 'REPLICATE', id)
  await until('the replica is in step', async () =>
    (await ask(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
  )
  for (const { port } of nodes) {
    await until('every node knows the replica', async () =>
      (await ask(port, 'CLUSTER', 'NODES')).includes(`slave ${id}`),
    )
  }
}

async function agrees(port, size) {
  await until(`the Cluster node on ${port} knows the others`, async () => {
    const info = await ask(port, 'CLUSTER', 'INFO')
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`)
  })
}

async function answers(port, ended) {
  let over = false
  void ended.then(() => (over = true))
  await until(`Redis answers on ${port}`, async () => {
    if (over) throw new Error(`redis-server ended before it answered on ${port}`)
    return (await ask(port, 'PING').catch(() => '')).includes('PONG')
  })
}

async function until(what, isSo) {
  const started = performance.now()
  while (!(await isSo())) {
    if (performance.now() - started > patienceMs) throw new Error(`not after ten seconds: ${what}`)
    await pause(20)
  }
}

/** Sends one command over a connection of its own, and returns the raw reply. */
function ask(port, ...words) {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`AUTH ${password}\r\n${words.join(' ')}\r\nQUIT\r\n`)
    })
    socket.setEncoding('utf8')
    // A Sentinel does not support QUIT.
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (text) => (answer += text))
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}
