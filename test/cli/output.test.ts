import { createServer } from 'node:http'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configOf, HOST } from './command.ts'
import { svc, SVC } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'

const KEY = 'a key of the tests of 32 characters or more'
const STRANGER = configOf('stranger-host.mjs')

/** A name that moves the cursor, forges a line, reverses text, and links to another site. */
const NAME = [
  'Ada\u001b[2J\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007',
  'ok       stores: forged\r\n\tfailed \u009b31m\u0085\u007f\u0000',
  '\u202egnitset\u2066\u2069\u200f\u061c\u200b\ufeff\u2028\u2029\u{e0041}\ud800',
].join('\n')

/** The characters that a terminal acts on. Line breaks are left to the program. */
const HARMFUL = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const stranger = async (args: readonly string[], name = NAME) =>
  svcHere(['--config', STRANGER, ...args], {
    env: { APP_KEY: KEY, STRANGER: JSON.stringify(name) },
  })

const failingStranger = async (args: readonly string[], how: Readonly<Record<string, string>>) =>
  svc(['--config', STRANGER, ...args], {
    env: { APP_KEY: KEY, STRANGER: JSON.stringify(NAME), ...how },
  })

describe('text of others in the output of svc', { timeout: 60_000 }, () => {
  it.each([
    [['user', 'list'], 1],
    [['import', '--from', 'old'], 6],
    [['user', 'remove', '--id', '1'], 0],
    [['user', 'remove', '--id', '1', '--yes'], 1],
    [['session', 'list', '--id', '1'], 1],
    [['doctor'], null],
  ])('neither reaches the terminal raw nor makes lines: %j', async (args, lines) => {
    const { stdout, stderr } = await stranger(args)
    expect(stdout + stderr).not.toMatch(HARMFUL)
    expect(stdout).not.toMatch(/^(?:ok +stores: forged|failed )/m)
    if (lines !== null) expect(stdout.split('\n')).toHaveLength(lines + 1)
  })

  it('shows what it was, escaped', async () => {
    const { stdout } = await stranger(['user', 'list'])
    expect(stdout).toContain('Ada\\u001b[2J\\u001b]8;;https://evil.test\\u0007link')
    expect(stdout).toContain('\\u000aok       stores: forged')
  })

  it('keeps names of every script, and emoji of several characters', async () => {
    const name = 'Ægir Łukasz 山田 می‌خواهم 👩‍💻 ñ'
    const { stdout } = await stranger(['user', 'list'], name)
    expect(stdout).toContain(name)
  })

  it('is the same value in JSON, whose text a terminal only shows', async () => {
    const { stdout } = await stranger(['--json', 'user', 'list'])
    expect(JSON.parse(stdout)).toEqual({
      users: [{ id: '1', email: 'ada@example.com', name: NAME }],
    })
    expect(stdout).not.toMatch(HARMFUL)
  })

  it.each([[['prune']], [['--json', 'prune']]])(
    'is one line in an error of a server: %j',
    async (args) => {
      const { code, stdout, stderr } = await failingStranger(args, { FAIL_WITH: 'it' })
      expect(code).toBe(1)
      expect(stdout + stderr).not.toMatch(HARMFUL)
      expect(stderr).not.toMatch(/^ok /m)
      if (args.includes('--json')) expect(JSON.parse(stdout)).toEqual({ error: expect.any(String) })
      else expect(stderr.split('\n')).toHaveLength(2)
    },
  )

  it.each([[['prune']], [['doctor']]])(
    'is read as a text of one line in an error that has several: %j',
    async (args) => {
      const { stdout, stderr } = await failingStranger(args, { FAIL_WITH: 'it' })
      expect(stdout + stderr).toMatch(/link\S+ ok {7}stores: forged/)
      expect(stdout + stderr).not.toContain('\\u000a')
    },
  )

  it('is escaped in the findings of the doctor where a strange server has answered it', async () => {
    // Node refuses to send some of them in a header, but not in a reason or in its encoding.
    const server = createServer((_request, response) =>
      response.writeHead(301, { location: '/\u009b31m\u0085' }).end(),
    )
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const { stdout } = await stranger(['doctor', '--url', url])
    expect(stdout).toContain('redirects /svc/api to /\\u009b31m\\u0085')
    expect(stdout).not.toMatch(HARMFUL)
  })

  it('stays escaped where the host logs it', async () => {
    const { stderr } = await stranger(['prune'])
    expect(stderr).toContain('Ada\\u001b[2J')
    expect(stderr).not.toMatch(HARMFUL)
  })
})

describe('colors', () => {
  const inTerminal = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const command = `${process.execPath} ${SVC} --config ${HOST} doctor`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], APP_KEY: KEY, TERM: 'xterm-256color', ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    await once(child, 'close')
    return output
  }

  it('mark the findings in a terminal', async () => {
    expect(await inTerminal({})).toContain('\u001b[32mok      \u001b[39m configuration: is valid')
  }, 30_000)

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])(
    'are not written with %j',
    async (env) => {
      const output = await inTerminal(env)
      expect(output).toContain('ok       configuration: is valid')
      expect(output).not.toContain('\u001b')
    },
    30_000,
  )

  it('are not written to a pipe', async () => {
    const { stdout } = await svc(['--config', HOST, 'doctor'], { env: { APP_KEY: KEY } })
    expect(stdout).not.toContain('\u001b')
  })
})

describe('a write that fails', { timeout: 30_000 }, () => {
  const full = async (args: readonly string[]): Promise<[number | null, string]> => {
    const child = spawn(process.execPath, [SVC, ...args], {
      env: { PATH: process.env['PATH'], APP_KEY: KEY },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    let text = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const [code]: (number | null)[] = await once(child, 'close')
    return [code ?? null, text]
  }

  it.each([
    [['key', 'generate']],
    [['--json', 'key', 'generate']],
    [['--version']],
    [['--help']],
    [['--config', HOST, 'doctor']],
    [['--json', 'nonsense']],
  ])('is a failure: %j', async (args) => {
    const [code, stderr] = await full(args)
    expect(stderr).toContain('standard output cannot be written: ')
    expect(code).toBe(args.includes('nonsense') ? 2 : 1)
  })

  it('is a failure when the reader has gone', async () => {
    const command = `${process.execPath} ${SVC} --config ${HOST} --json openapi`
    const child = spawn('bash', ['-c', `${command} | true; exit \${PIPESTATUS[0]}`], {
      env: { PATH: process.env['PATH'], APP_KEY: KEY },
    })
    const [code]: (number | null)[] = await once(child, 'close')
    expect(code).toBe(1)
  })

  it('does not hide the result when it is to standard error', async () => {
    const command = `${process.execPath} ${SVC} --config ${STRANGER} prune 2>/dev/full`
    const child = spawn('bash', ['-c', command], {
      env: { PATH: process.env['PATH'], APP_KEY: KEY, STRANGER: JSON.stringify(NAME) },
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const [code]: (number | null)[] = await once(child, 'close')
    expect([code, text]).toEqual([0, 'Removed 0 records.\n'])
  })
})

describe('the exit code of svc', { timeout: 30_000 }, () => {
  it.each([
    ['ends the process', { EXIT_WITH: '7' }, 'ended before it was done'],
    ['ends the process with 0', { EXIT_WITH: '0' }, 'ended before it was done'],
    ['awaits what never happens', { NEVER: 'yes' }, 'ended before it was done'],
    ['throws outside of the command', { LATER: 'yes' }, 'of a timer'],
  ])('is 1 when the host %s', async (_what, env, said) => {
    const plain = await failingStranger(['prune'], env)
    expect([plain.code, plain.stdout]).toEqual([1, ''])
    expect(plain.stderr).toContain(said)
    const { code, stdout } = await failingStranger(['--json', 'prune'], env)
    expect([code, JSON.parse(stdout)]).toEqual([1, { error: expect.stringContaining(said) }])
  })
})
