import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import { HOST, svc } from './command.ts'

const KEY = 'a key of the tests of 32 characters or more'

function folderWith(name: string, text: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), text)
  return folder
}

describe('the configuration of svc', () => {
  it.each(['svc.config.js', 'svc.config.mjs'])('is %s of the current folder', async (name) => {
    const cwd = folderWith(name, `export { default } from ${JSON.stringify(HOST)}\n`)
    const env = { APP_KEY: KEY }
    if (name.endsWith('.js')) writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    expect(await svc(['prune'], { cwd, env })).toMatchObject({ code: 0, stderr: '' })
  })

  it('may be TypeScript; an older Node prints the remedy', async () => {
    const cwd = folderWith(
      'svc.config.ts',
      `const file: string = ${JSON.stringify(HOST)}\nexport default (await import(file)).default\n`,
    )
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    const { code, stderr } = await svc(['prune'], { cwd, env: { APP_KEY: KEY } })
    if ('typescript' in process.features && process.features.typescript !== false)
      expect(code).toBe(0)
    else {
      expect(code).toBe(1)
      expect(stderr).toMatch(/^\S+svc\.config\.ts: Node [\d.]+ cannot read TypeScript; use Node 22/)
    }
  })

  it('is missing: exits with 2 and prints how to create it', async () => {
    const { code, stdout, stderr } = await svc(['prune'], { cwd: temporaryFolder() })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('create svc.config.ts with `export default defineConfig({ auth })`')
  })

  it.each([
    ['exports nothing', 'export const auth = null\n', 'has no default export'],
    ['returns nothing', 'export default () => null\n', 'returns no object'],
    ['has no service', 'export default {}\n', 'auth: is missing'],
    ['has another object', 'export default { auth: { close() {} } }\n', 'another copy|this copy'],
  ])('%s: exits with 1 and prints the remedy', async (_what, text, said) => {
    const { code, stdout, stderr } = await svc(['prune'], {
      cwd: folderWith('svc.config.mjs', text),
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(said))
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is closed after the command, also when the command fails', async () => {
    const env = { APP_KEY: KEY, TELL_CLOSE: 'true' }
    const failed = await svc(['--config', HOST, 'session', 'revoke', '--id', '2'], { env })
    expect(failed).toMatchObject({ code: 1, stderr: 'closed\nNo user has the id 2.\n' })
    expect(await svc(['--config', HOST, 'prune'], { env })).toMatchObject({ stderr: 'closed\n' })
  })

  it('receives the name of the command', async () => {
    const env = { APP_KEY: KEY, BROKEN: 'true' }
    const { stderr } = await svc(['--config', HOST, 'user', 'unlock', '--email', 'a@b.test'], {
      env,
    })
    expect(stderr).toBe('cannot open for user unlock\n')
  })

  it('prints an error as JSON with --json', async () => {
    const { code, stdout, stderr } = await svc(
      ['--json', '--config', HOST, 'session', 'revoke', '--id', '2'],
      { env: { APP_KEY: KEY } },
    )
    expect([code, JSON.parse(stdout), stderr]).toEqual([1, { error: 'No user has the id 2.' }, ''])
  })
})

describe('a wrong usage of svc', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['prune', '--nonsense']],
    [['prune', 'nonsense']],
    [['prune', '--keep-notifications-days', '0']],
    [['session', 'revoke']],
    [['session', 'revoke', '--id', '1', '--email', 'ada@example.com']],
    [['notify', '--id', '1']],
    [['doctor', '--origin', 'https://a.test']],
    [['doctor', '--url', 'a.test']],
    [['--config', 'missing.mjs', 'prune']],
  ])('%j exits with 2 and prints nothing on standard output', async (args) => {
    const { code, stdout, stderr } = await svc(args, {
      env: { APP_KEY: KEY },
      cwd: temporaryFolder(),
    })
    const isAboutConfig = stderr.includes('svc.config')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
    expect(isAboutConfig).toBe(args.length === 0 || stderr.includes('none of them'))
  })
})
