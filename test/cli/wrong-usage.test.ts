import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import { HOST } from './command.ts'
import { svcHere } from '../support/svc-here.ts'
import { SVC } from '../support/svc.ts'

const KEY = 'a key of the tests of 32 characters or more'

const run = async (...args: readonly string[]) =>
  svcHere(['--config', HOST, ...args], { env: { APP_KEY: KEY } })

describe('svc refuses', { timeout: 60_000 }, () => {
  it.each([
    ['user erase --yes --email a@b.test --email ada@example.com', '--email: was given twice'],
    ['notify --id 1 --title A --title B', '--title: was given twice'],
    ['init --dry-run --framework next --framework node', '--framework: was given twice'],
    ['user erase --yes --id=', '--id: is empty'],
    ['session revoke --id 1 --session=', '--session: is empty'],
    ['session list --id 1 --tenant=', '--tenant: is empty'],
    ['session list --id 1 --email ada@example.com', 'give either --email or --id'],
    ['doctor --email ada', '--email: give the address of the user'],
  ])('%s', async (line, reason) => {
    const { code, stdout, stderr } = await run(...line.split(' '))
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(reason)])
    // An error of the program would have lines of its stack.
    expect(stderr).not.toContain('    at ')
  })

  it('a folder as the configuration', async () => {
    const { code, stderr } = await svcHere(['--config', '.', 'prune'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a file')])
  })

  it.each(['--json', '--yes'])('no %s that is given twice', async (flag) => {
    const { code } = await run('session', 'revoke-everyone', '--yes', flag, flag)
    expect(code).toBe(0)
  })
})

it.each(['18.20.8', '20.18.3'])('svc names the Node that it needs on Node %s', (node) => {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, SVC, 'init']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, `svc needs Node 20.19 or newer; this is ${node}.\n`])
})

describe('a refused configuration', () => {
  const advice = 'add --env-file .env'

  it.each([
    [`APP_KEY=${KEY}`, true],
    ['APP_KEY=', false],
    ['PORT=1', false],
  ])('names the .env that was not read: %s', async (text, isNamed) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, '.env'), `${text}\n`)
    const { code, stderr } = await svcHere(['--config', HOST, 'prune'], { cwd })
    expect(code).toBe(1)
    expect(stderr.includes(advice)).toBe(isNamed)
  })

  it('says nothing of .env where the variable is set and empty, which wins', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, '.env'), `APP_KEY=${KEY}\n`)
    const args = ['--config', HOST, '--env-file', '.env', 'prune']
    const { code, stderr } = await svcHere(args, { cwd, env: { APP_KEY: '' } })
    expect([code, stderr]).toEqual([1, expect.not.stringContaining(advice)])
  })
})

describe('a file of variables', () => {
  it.each([
    ['UTF-16, as PowerShell writes it', Buffer.from(`\uFEFFAPP_KEY=${KEY}\r\n`, 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFFAPP_KEY=${KEY}\n`)],
  ])('is refused, and stays as it is, when it is %s', async (_encoding, text) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'package.json'), '{}')
    writeFileSync(join(cwd, '.env'), text)
    for (const args of [['--env-file', '.env', 'key', 'generate'], ['init']]) {
      const { code, stderr } = await svcHere(args, { cwd })
      expect([code, stderr]).toEqual([2, expect.stringContaining('save it as UTF-8')])
    }
    expect(readFileSync(join(cwd, '.env'))).toEqual(text)
    expect(readdirSync(cwd)).not.toContain('svc.config.mjs')
  })

  it('is read when a comment is its first line, after the byte order mark', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, '.env'), `\uFEFF# variables\nAPP_KEY=${KEY}\n`)
    expect((await svcHere(['--env-file', '.env', 'key', 'generate'], { cwd })).code).toBe(0)
  })
})
