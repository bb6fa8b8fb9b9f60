import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { onFreePort } from './free-port.mjs'
import { ensureProgram } from './programs.mjs'
import { started, testServer } from './started.mjs'

/**
 * Starts an empty MariaDB on a free local port, for tests only: every local user may log in.
 *
 * @param {readonly string[]} more Further options of the server.
 * @returns its URL, below which its databases are, and `testServer`.
 * @throws as `ensurePrograms`
 */
export async function startMariadb(more = []) {
  return onFreePort(async (port) => startAt(port, more))
}

async function startAt(port, more) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mariadb-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const settings = [...settingsOf(folder, data, port), ...more]
  const server = await testServer({
    folder,
    serve: async () => serve(settings),
    // Killed soon after its first start, it could not read its files again.
    halt: ['SIGTERM'],
    kill: ['SIGKILL'],
  })
  return Object.assign(server, { url: `mysql://root@127.0.0.1:${port}/` })
}

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
