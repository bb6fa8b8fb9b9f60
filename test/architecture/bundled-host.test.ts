import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type InputOptions, type OutputOptions } from 'rolldown'
import { expect, it } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'
import { temporaryFolder } from '../support/panel.ts'

const serverOf = (spa: object): string => `
  import { createPanelAuth } from '@svc/auth'
  import { memoryStores } from '@svc/auth/memory'
  createPanelAuth({
    config: {
      app: { url: 'http://localhost:3000', keys: ['a key of the tests of 32 characters or more'] },
      session_auth: { stateful: ['localhost:3000'] },
      spa: ${JSON.stringify(spa)},
      svc: { prefix: 'admin', panels: ['main'] },
    },
    stores: memoryStores(),
    users: { findById() {}, findByEmail() {}, identify() {}, passwordHash() {} },
  })`

/** As esbuild makes it: its bundle of CommonJS has no `import.meta.url`. */
const LIKE_ESBUILD = {
  input: { transform: { define: { 'import.meta.url': 'undefined' } } },
  output: { format: 'cjs', entryFileNames: 'server.cjs' },
} as const

interface Bundle {
  readonly source: string
  readonly input?: InputOptions
  readonly output?: OutputOptions
}

/** Bundles a server with the service, and runs it. */
async function run({ source, input = {}, output = {} }: Bundle) {
  const cwd = temporaryFolder()
  linkPackages(cwd, ['@svc/auth'])
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'server.js'), source)
  const bundled = await rolldown({ input: join(cwd, 'server.js'), platform: 'node', cwd, ...input })
  const { output: files } = await bundled.write({ dir: join(cwd, 'built/server'), ...output })
  const program = join('built/server', files[0].fileName)
  return spawnSync(process.execPath, [program], { cwd, encoding: 'utf8' })
}

it.each([
  ['with its pages', { source: serverOf({}) }],
  ['without pages', { source: serverOf({ off: true }) }],
  ['in CommonJS of esbuild', { source: serverOf({}), ...LIKE_ESBUILD }],
  [
    'of users alone in CommonJS of esbuild',
    { source: "import { sqliteUsers } from '@svc/auth/users'; sqliteUsers()", ...LIKE_ESBUILD },
  ],
  [
    'of a seed',
    { source: "import { hashPassword } from '@svc/auth'; await hashPassword('a password')" },
  ],
])('the error of a bundle %s names the remedy: to leave the package out', async (_, bundle) => {
  const { status, stderr } = await run(bundle)
  expect([status, stderr]).toEqual([1, expect.stringContaining('let it leave @svc/auth out')])
})

it('the error of a copy without the pages names the remedy: to copy the whole package', () => {
  const cwd = temporaryFolder()
  const copy = join(cwd, 'node_modules/@svc/auth')
  linkPackages(cwd, ['@node-rs/argon2', 'valibot'])
  for (const part of ['package.json', 'dist/server'])
    cpSync(part, join(copy, part), { recursive: true })
  writeFileSync(join(cwd, 'server.mjs'), serverOf({}))
  const { status, stderr } = spawnSync(process.execPath, ['server.mjs'], { cwd, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('let it copy the whole package')])
})
