import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { type Ran, svc } from './svc.ts'
import { PASSWORD } from './browser.ts'
import { linkPackages } from './linked-packages.ts'

/** An application that the blocks of a page build, in a folder of its own. */
export interface GuideApplication {
  readonly cwd: string
  readonly url: string
  /** Writes the files, makes the changes and runs the commands of a page, in their order. */
  follow(markdown: string): Promise<void>
  svc(...args: readonly string[]): Promise<Ran>
  /** Starts the server anew, and waits until it answers. */
  start(): Promise<void>
  /** Returns what the server has logged since its start. */
  log(): string
  /** Ends what was started, and removes the folder. */
  close(): Promise<void>
}

export interface GuideSettings {
  /** Variables that win over those of the file `.env`. */
  readonly env?: Readonly<Record<string, string>>
  /** Runs the SQL of the page. Default: the page has none. */
  readonly runSql?: (sql: string) => Promise<unknown>
}

interface Block {
  readonly language: string
  readonly code: string
}

function blocksOf(markdown: string): readonly Block[] {
  return Array.from(
    markdown.matchAll(/```(sh|js|ini|sql|diff)\n(.*?)```/gs),
    ([, language = '', code = '']) => ({ language, code }),
  )
}

/** Opens an empty folder, in which pages are followed. */
export async function newApplication({
  env = {},
  runSql,
}: GuideSettings = {}): Promise<GuideApplication> {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-guide-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const variables = { ...env, PORT: String(port), APP_URL: url }
  const runSvc = async (args: readonly string[]): Promise<Ran> =>
    svc(args, { cwd, env: variables, input: PASSWORD, whenOver: () => undefined })

  function startProgram(args: readonly string[], stderr: 'inherit' | 'pipe' = 'inherit') {
    const all = { PATH: process.env['PATH'], ...variables }
    return spawn(process.execPath, args, { cwd, env: all, stdio: ['ignore', 'inherit', stderr] })
  }

  let server: ChildProcess | null = null
  let log = ''
  async function stop(): Promise<void> {
    if (server === null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    server = null
    await ended
  }

  async function run(command: string): Promise<void> {
    const [program, ...args] = command.replaceAll('"', '').split(' ')
    switch (program) {
      case 'npm':
        if (args[0] === 'install') linkPackages(cwd, args.slice(1))
        if (args[0] === 'pkg') writeFileSync(join(cwd, 'package.json'), MANIFEST)
        return
      case 'npx':
        expect(await runSvc(args.slice(1))).toMatchObject({ code: 0 })
        return
      case 'node':
        // The server is started when everything else is done.
        if (!command.endsWith('server.js')) await once(startProgram(args), 'exit')
        return
      default:
        // Opens a folder, or is tried by the test.
        expect(['mkdir', 'cd', 'curl']).toContain(program)
    }
  }

  return {
    cwd,
    url,
    svc: async (...args) => runSvc(args),
    async follow(markdown) {
      for (const { language, code } of blocksOf(markdown)) {
        if (language === 'js' || language === 'ini') write(cwd, code)
        else if (language === 'diff') change(cwd, code)
        else if (language === 'sql') await runSql?.(code)
        else for (const command of code.trim().split('\n')) await run(command)
      }
    },
    async start() {
      await stop()
      log = ''
      server = startProgram(['--env-file', '.env', 'server.js'], 'pipe')
      server.stderr?.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
      const answers = async () =>
        expect(await fetch(`${url}/admin/main`), log).toMatchObject({ ok: true })
      await vi.waitFor(answers, { timeout: 60_000 })
    },
    log: () => log,
    async close() {
      await stop()
      rmSync(cwd, { recursive: true })
    },
  }
}

const MANIFEST = JSON.stringify({ type: 'module', dependencies: { express: '*' } })

/** Makes the packages of this project those of the application. */
/** Writes the file that the first line of a block names. */
function write(cwd: string, code: string): void {
  const [, name = ''] = /^(?:\/\/|#) (\S+)\n/.exec(code) ?? []
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), code)
}

/** Changes the lines of auth.js that a diff shows. */
function change(cwd: string, diff: string): void {
  const lines = diff.trimEnd().split('\n')
  const textOf = (marks: string) =>
    lines
      .filter((line) => marks.includes(line.charAt(0)))
      .map((line) => line.slice(1))
      .join('\n')
  const file = join(cwd, 'auth.js')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(textOf(' -'))
  writeFileSync(file, text.replace(textOf(' -'), textOf(' +')))
}
