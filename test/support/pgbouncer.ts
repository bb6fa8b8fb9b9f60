import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.mjs'
import { ensureProgram } from '../../scripts/programs.mjs'
import { runListening } from './listening-program.ts'
import { temporaryFolder } from './panel.ts'

/** PgBouncer refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Starts a PgBouncer before a PostgreSQL, which lends a connection for each transaction. It ends
 * with the test.
 *
 * @param settings More lines of its file.
 * @returns the address of the same database through it.
 */
export async function startPgBouncer(database: string, settings = ''): Promise<string> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  chmodSync(folder, 0o755)
  const { hostname, port: serverPort, username } = new URL(database)
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" ""\n`)
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 2',
    settings,
  ]
  writeFileSync(file, lines.join('\n'))
  await runListening(ensureProgram('pgbouncer'), [file], port, { signal: 'SIGKILL', ...user })
  const url = new URL(database)
  url.host = `127.0.0.1:${port}`
  return url.href
}
