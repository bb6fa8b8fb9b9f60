import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.mjs'
import { ensureProgram } from './programs.mjs'
import { started } from './started.mjs'

/**
 * Starts an empty MariaDB on a free local port, for tests only: every local user may log in.
 *
 * @param {readonly string[]} more Further options of the server.
 * @returns {Promise<TestMariadb>}
 * @throws as `ensurePrograms`
 */
export async function startMariadb(more = []) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mariadb-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const port = await freePort()
  const settings = [...settingsOf(folder, data, port), ...more]
  let running = await serve(settings)
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  // A run that ends before `stop` must leave neither a server nor files behind.
  const abandon = () => {
    running.kill('SIGKILL')
    remove()
  }
  process.once('exit', abandon)
  return {
    url: `mysql://root@127.0.0.1:${port}/`,
    get pid() {
      return running.pid
    },
    async halt() {
      // Killed soon after its first start, it could not read its files again.
      await end(running, 'SIGTERM')
    },
    async resume() {
      running = await serve(settings)
    },
    async stop() {
      await end(running)
      remove()
      process.off('exit', abandon)
    },
  }
}

/**
 * @typedef {object} TestMariadb
 * @property {string} url Of the server; its databases are below it.
 * @property {number | undefined} pid Of the server, which is one process.
 * @property {() => Promise<void>} halt Ends the server and every connection; what is stored stays.
 * @property {() => Promise<void>} resume Starts it again after `halt`, on the same port.
 * @property {() => Promise<void>} stop Ends it and removes what is stored. Idempotent.
 */

function settingsOf(folder, data, port) {
  return [
    '--no-defaults',
    `--datadir=${data}`,
    `--user=${userInfo().username}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    // A server removes the temporary files of others at its start.
    `--tmpdir=${folder}`,
    // Every local user may log in, so the tables of accounts need not be created.
    '--skip-grant-tables',
    // The data is deleted with the server, so it need not reach the disk.
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-flush-method=nosync',
    '--sync-frm=0',
    '--character-set-server=utf8mb4',
    // Several test files use it at once, each with the pools of several nodes.
    '--max-connections=400',
  ]
}

async function serve(settings) {
  const server = spawn(ensureProgram('mariadb'), settings, { stdio: ['ignore', 'ignore', 'pipe'] })
  await started(server, { name: 'MariaDB', ready: 'ready for connections' })
  return server
}

async function end(server, signal = 'SIGKILL') {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill(signal)
  await gone
}
