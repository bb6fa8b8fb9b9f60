import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** `true` if servers and load can run on separate cores. */
export const pins = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Node's flags of the panel's `npm start`. */
const START_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1']

/** Starts a file of this folder on a core. The process ends with this one. */
export function start(file, core, ...values) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [program, ...before] = pins
    ? ['taskset', '-c', String(core), process.execPath]
    : [process.execPath]
  const child = fork(path, values, {
    execPath: program,
    execArgv: [...before, ...(file.includes('/svc') ? START_FLAGS : [])],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  child.once('exit', (code) => {
    if (child.connected || code) throw new Error(`${file} ended by itself with code ${code}`)
  })
  return child
}

/**
 * Pins a running database, and its future children, to a core. It runs there before anything else,
 * if this user may arrange that: beside a load generator that never sleeps, a process of a database
 * waits for seconds on some machines, and requests are answered 503.
 */
export function pinDatabase(pid, core) {
  if (!pins) return
  spawnSync('taskset', ['-c', '-p', String(core), String(pid)])
  spawnSync('chrt', ['--rr', '-p', '1', String(pid)])
}

/** Waits for the next message of a process. */
export async function reply(child) {
  const [message] = await once(child, 'message')
  return message
}

/** Sends a message to a process and waits for its answer. */
export async function ask(child, message) {
  const answer = reply(child)
  child.send(message)
  return answer
}
