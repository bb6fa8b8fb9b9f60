// @module-tag slow

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt } from '../support/browser.ts'
import { packTarball } from '../support/packed.ts'

const readme = readFileSync('README.md', 'utf8')
const section = readme.slice(readme.indexOf('## Mount it'), readme.indexOf('## Add what'))

/** The commands of the section's shell blocks, in their order. */
const commands = Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, code = '']) => code)
  .join('')
  .trim()
  .split('\n')

/** The files of the section's TypeScript blocks: the first line of each names it. */
const files = Array.from(section.matchAll(/```ts\n(\/\/ ([\w-]+\.ts).*?)```/gs), (match) => match)

/** SQLite is compiled where no binary fits the running Node. */
const SLOW_INSTALL_MS = 600_000

/**
 * Keeps the binary of better-sqlite3 where its installation looks for one, instead of compiling the
 * same once more. Another version is compiled.
 */
function keepBinary(folder: string): void {
  const { version } = JSON.parse(readFileSync('node_modules/better-sqlite3/package.json', 'utf8'))
  const { platform, arch, versions } = process
  const name = `better-sqlite3-v${version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`
  const binary = 'build/Release/better_sqlite3.node'
  const target = join(folder, name)
  execFileSync('tar', ['-czf', target, '-C', 'node_modules/better-sqlite3', binary])
}

/** Runs a command of the README in a shell, as a reader would. */
function sh(command: string, cwd: string): void {
  const env = { ...process.env, npm_config_better_sqlite3_local_prebuilds: cwd }
  execFileSync('sh', ['-c', command], { cwd, env, stdio: 'pipe' })
}

it(
  '"Mount it", pasted into an empty folder, logs an administrator in',
  { timeout: SLOW_INSTALL_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const tarball = packTarball(folder)
    keepBinary(folder)
    for (const [, code = '', name = ''] of files) writeFileSync(join(folder, name), code)
    const [start = '', ...before] = commands.toReversed()
    for (const command of before.toReversed()) {
      sh(command.replace('@svc/auth', tarball), folder)
    }

    const port = await freePort()
    const { APP_URL: _url, NODE_ENV: _environment, ...environment } = process.env
    // A signal to npx ends npx, whatever becomes of the program.
    const args = start.replace('npx tsx', '--import tsx').split(' ')
    const env = { ...environment, PORT: String(port) }
    const host = spawn(process.execPath, args, { cwd: folder, env })
    const ended = once(host, 'exit')
    onTestFinished(() => void host.kill('SIGKILL'))
    await once(host.stdout, 'data')

    const ada = browserAt(`http://localhost:${port}`)
    expect((await ada.get('/api/orders')).status).toBe(401)
    expect((await ada.logIn('ada@example.com')).json).toEqual({ two_factor: false })
    expect((await ada.get('/api/orders')).json).toEqual({ seenBy: 'Ada' })
    expect((await ada.get('/admin/main')).status).toBe(200)

    host.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
