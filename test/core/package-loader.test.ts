import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'

/** A program that prints whether its service is healthy, which it is once the hashing process answers. */
const PROGRAM = `
  import { createPanelAuth } from './dist/server/index.js'
  import { memoryStores } from './dist/server/memory.js'
  const auth = createPanelAuth({
    config: {
      app: { url: 'http://localhost:3000', keys: ['a key of the tests of 32 characters or more'] },
      session_auth: { stateful: ['localhost:3000'] },
      svc: { prefix: 'admin', panels: ['main'] },
      spa: { off: true },
    },
    stores: memoryStores(),
    users: { findById() {}, findByEmail() {}, identify() {}, passwordHash() {} },
  })
  for (let times = 0; times < 5; times += 1) if ((await auth.health()).healthy) break
  console.log((await auth.health()).healthy)
  await auth.close()`

/** As those that Yarn writes: the packages are found by these files alone. */
const loader = `
  const parentURL = ${JSON.stringify(pathToFileURL(resolve('package.json')).href)}
  export const resolve = (name, context, next) =>
    next(name, /^(?:[./]|node:|file:)/.test(name) ? context : { ...context, parentURL })`

describe('an application whose packages Yarn keeps in archives', () => {
  it.each([
    ['NODE_OPTIONS', 'data'],
    ['NODE_OPTIONS', 'a folder'],
    ['arguments', 'data'],
  ])('hashes passwords with the loader in its %s, in %j', (place, name) => {
    const folder = join(temporaryFolder(), name)
    cpSync('dist/server', join(folder, 'dist/server'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'program.js'), PROGRAM)
    writeFileSync(join(folder, '.pnp.cjs'), "process.versions.pnp = '3'")
    writeFileSync(join(folder, '.pnp.loader.mjs'), loader)
    const { href } = pathToFileURL(join(folder, '.pnp.loader.mjs'))
    const options = `--require "${folder}/.pnp.cjs" --experimental-loader ${href}`
    const isArgument = place === 'arguments'
    const args = isArgument ? ['-r', './.pnp.cjs', '--loader', './.pnp.loader.mjs'] : []
    const { stdout } = spawnSync(process.execPath, [...args, 'program.js'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...(!isArgument && { NODE_OPTIONS: options }) },
      encoding: 'utf8',
    })
    expect(stdout).toBe('true\n')
  })
})
