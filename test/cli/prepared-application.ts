import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { openStream } from '../support/bell-stream.ts'
import { browserAt, PASSWORD, type Browser } from '../support/browser.ts'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'
import { svc } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'

/** The result of `svc init --json`. */
export interface Written {
  readonly framework: string
  readonly database: string
  readonly files: readonly { readonly path: string; readonly state: string }[]
  readonly code: readonly string[]
  readonly steps: readonly string[]
}

const PATIENCE = { timeout: 20_000, interval: 500 }
const USERS = `create table users (
  id integer primary key, email text not null unique, name text not null, password_hash text)`

/** An application in a folder of its own, with these dependencies. */
export function application(...dependencies: readonly string[]): string {
  const cwd = temporaryFolder()
  const manifest = {
    type: 'module',
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
  }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
  return cwd
}

/** Runs `svc init` in an application. */
export async function init(cwd: string, ...args: readonly string[]): Promise<Written> {
  const { code, stdout, stderr } = await svcHere(['init', '--json', ...args], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Written
}

/** Installs packages of this project, creates the users table, and runs `svc init`. */
export async function prepare(
  cwd: string,
  packages: readonly string[],
  ...args: readonly string[]
): Promise<Written> {
  linkPackages(cwd, ['@svc/auth', 'better-sqlite3', ...packages])
  const database = openHandle(join(cwd, 'panel.db'))
  database.exec(USERS)
  database.close()
  return init(cwd, ...args)
}

/** Writes a file of an application. */
export function write(cwd: string, path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

/**
 * Creates the first administrator by the command line, starts the server, logs in, and stops it.
 *
 * @param server Its file. `PORT` in it is replaced by a free port, and `READY` by the function that it calls
 *   once it listens.
 */
export async function expectAdministrator(cwd: string, server: string): Promise<void> {
  const port = await freePort()
  const text = readFileSync(join(cwd, server), 'utf8')
  const ready = "() => console.log('ready')"
  write(cwd, server, text.replaceAll('READY', ready).replaceAll('PORT', String(port)))
  const user = ['user', 'create', '--email', 'ada@example.com', '--name', 'Ada']
  const created = await svc(['--env-file', '.env', ...user], { cwd, input: PASSWORD })
  expect(created).toMatchObject({ code: 0, stderr: '' })

  const env = { PATH: process.env['PATH'], APP_URL: `http://localhost:${port}` }
  const host = spawn(process.execPath, ['--env-file', '.env', server], { cwd, env })
  onTestFinished(() => void host.kill('SIGKILL'))
  await once(host.stdout, 'data')
  const ada = browserAt(`http://localhost:${port}`)
  // The first login starts the hashing process: 503 while a busy machine has not.
  await expect
    .poll(async () => (await ada.logIn('ada@example.com')).json, PATIENCE)
    .toEqual({ two_factor: false })
  expect((await ada.get('/svc/api/user')).json).toMatchObject({ email: 'ada@example.com' })
  expect((await ada.get('/admin/main')).status).toBe(200)
  await expectStop(host, `http://localhost:${port}`, ada)
}

/** SIGTERM ends the process, with a stream and an idle connection open. */
async function expectStop(host: ChildProcess, url: string, ada: Browser): Promise<void> {
  const stream = await openStream(url, ada)
  expect(stream.status).toBe(200)
  await (await fetch(`${url}/svc/api/csrf-cookie`)).text()
  const began = performance.now()
  const ended = once(host, 'exit')
  host.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(performance.now() - began).toBeLessThan(5000)
  await stream.rest()
}
