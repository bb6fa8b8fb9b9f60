import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { canInstall, install } from './debian.mjs'
import { isExecutable } from './executable.mjs'

const places = [
  '/usr/sbin/mariadbd',
  '/usr/local/sbin/mariadbd',
  '/usr/local/bin/mariadbd',
  '/opt/homebrew/bin/mariadbd',
]

/** Finds mariadbd, or installs it if no password is needed (root on Debian). */
function ensureMariadb() {
  const found = places.find(isExecutable)
  if (found !== undefined) return found
  if (!canInstall()) throw new Error(explanation('No mariadbd was found.'))
  try {
    install('mariadb-server-core')
  } catch (cause) {
    throw new Error(explanation('Installing mariadbd failed.'), { cause })
  }
  const installed = places.find(isExecutable)
  if (installed !== undefined) return installed
  throw new Error(explanation('mariadbd was installed but cannot be found.'))
}

/**
 * Starts an empty MariaDB on a free local port, for tests only: every local user may log in.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws {Error} There is no program; the message says what to do.
 */
export async function startMariadb() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mariadb-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const port = await freePort()
  const settings = [
    '--no-defaults',
    `--datadir=${data}`,
    `--user=${userInfo().username}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    // Every local user may log in, so the tables of accounts need not be created.
    '--skip-grant-tables',
    // The data is deleted with the server, so it need not reach the disk.
    '--innodb-flush-log-at-trx-commit=0',
    '--character-set-server=utf8mb4',
  ]
  const running = spawn(ensureMariadb(), settings, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(running, 'exit')
  // A killed test run must leave no server behind.
  const kill = () => running.kill('SIGKILL')
  process.once('exit', kill)
  await isReady(running)
  return {
    url: `mysql://root@127.0.0.1:${port}/`,
    async stop() {
      process.off('exit', kill)
      kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isReady(server) {
  let log = ''
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('ready for connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`MariaDB did not start.\n${log}`)))
  })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function explanation(problem) {
  return [
    `${problem} \`mysqlUsers\` is tested on a real MariaDB, and never skipped.`,
    'Install it (Debian, Ubuntu: sudo apt-get install mariadb-server-core; macOS: brew install mariadb).',
  ].join('\n')
}
