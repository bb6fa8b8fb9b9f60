import { once } from 'node:events'
import { rmSync } from 'node:fs'

/**
 * Waits until a server says in its log that it is ready.
 *
 * @param {import('node:child_process').ChildProcess} server
 * @param {{ readonly name: string, readonly ready: string }} expected
 * @throws {Error} It has ended; the message has the end of its log.
 */
export async function started(server, { name, ready }) {
  let log = ''
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes(ready)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`${name} did not start.\n${log}`)))
  })
}

/**
 * Runs a server for tests until `stop`, in a folder that goes with it.
 *
 * @param {object} how
 * @param {string} how.folder
 * @param {() => Promise<import('node:child_process').ChildProcess>} how.serve Starts it.
 * @param {readonly NodeJS.Signals[]} how.halt The signals that let it keep its files.
 * @param {readonly NodeJS.Signals[]} how.kill Those that end it for good.
 */
export async function testServer({ folder, serve, halt, kill }) {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  let running = await serve().catch((error) => {
    remove()
    throw error
  })
  // A run that ends before `stop` must leave neither a server nor files behind.
  const abandon = () => {
    running.kill('SIGKILL')
    remove()
  }
  process.once('exit', abandon)
  return {
    /** Of the server, whose connections may be processes of their own. */
    get pid() {
      return running.pid
    },
    /** Ends the server and every connection; what is stored stays. */
    halt: async () => end(running, halt),
    /** Starts it again after `halt`, on the same port. */
    resume: async () => {
      running = await serve()
    },
    /** Ends it and removes what is stored. Idempotent. */
    stop: async () => {
      await end(running, kill)
      remove()
      process.off('exit', abandon)
    },
  }
}

async function end(server, signals) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  for (const signal of signals) server.kill(signal)
  await gone
}
