import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt, PASSWORD } from '../support/browser.ts'
import { svc } from '../cli/command.ts'
import { temporaryFolder } from '../support/panel.ts'

const tutorial = readFileSync('docs/tutorial.md', 'utf8')

/** The blocks of the page, in their order. */
const blocks = Array.from(
  tutorial.matchAll(/```(sh|js|diff)\n(.*?)```/gs),
  ([, language = '', code = '']) => ({ language, code }),
)

/** Makes the packages of this project those of the application. */
function install(cwd: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(cwd, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(name === '@svc/auth' ? resolve('.') : resolve('node_modules', name), link)
  }
}

/** Writes the file that the first line of a block names. */
function write(cwd: string, code: string): void {
  const [, name = ''] = /^\/\/ (\S+)\n/.exec(code) ?? []
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), code)
}

/** Adds the line of a diff below the line that it shows. */
function change(cwd: string, code: string): void {
  const [above = '', added = ''] = code.trimEnd().split('\n')
  const file = join(cwd, 'auth.js')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(above.slice(1))
  writeFileSync(file, text.replace(above.slice(1), `${above.slice(1)}\n${added.slice(1)}`))
}

it('the tutorial ends with a panel that has a page and a notification', async () => {
  const cwd = temporaryFolder()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = { PATH: process.env['PATH'], PORT: String(port), APP_URL: url }

  /** Starts a program of the application. */
  function start(args: readonly string[]) {
    const program = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
    onTestFinished(() => void program.kill('SIGKILL'))
    return program
  }

  async function run(command: string): Promise<void> {
    const [program, ...args] = command.replaceAll('"', '').split(' ')
    switch (program) {
      case 'npm':
        if (args[0] === 'install') install(cwd, args.slice(1))
        if (args[0] === 'pkg') writeFileSync(join(cwd, 'package.json'), manifest)
        return
      case 'npx':
        expect(await svc(args.slice(1), { cwd, input: PASSWORD })).toMatchObject({ code: 0 })
        return
      case 'node':
        if (!command.endsWith('server.js')) await once(start(args), 'exit')
        return
      default:
        // Opens a folder, or is tried below.
        expect(['mkdir', 'curl']).toContain(program)
    }
  }

  const manifest = JSON.stringify({ type: 'module', dependencies: { express: '*' } })
  for (const { language, code } of blocks) {
    if (language === 'js') write(cwd, code)
    else if (language === 'diff') change(cwd, code)
    else for (const command of code.trim().split('\n')) await run(command)
  }
  start(['--env-file', '.env', 'server.js'])

  const ada = browserAt(url)
  const isUp = async () => (await fetch(`${url}/admin/main`).catch(() => null))?.ok
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true)
  expect((await ada.get('/api/orders')).status).toBe(401)
  // The first login starts the hashing process: 503 while a busy machine has not.
  const loggedIn = async () => (await ada.logIn('ada@example.com')).json
  await expect.poll(loggedIn, { timeout: 20_000 }).toEqual({ two_factor: false })
  expect((await ada.post('/api/orders', { item: 'A table' })).json).toEqual([
    'Two chairs',
    'A table',
  ])
  expect((await ada.get('/svc/api/notifications')).json).toMatchObject({ unread_count: 1 })
  expect((await ada.get('/admin/main/orders')).text).toContain('data-svc-pages="/pages/orders.js"')
  expect((await ada.get('/pages/orders.js')).status).toBe(200)
})
