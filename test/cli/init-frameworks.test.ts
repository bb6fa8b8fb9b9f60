import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { paths } from '../../src/rules/paths.ts'
import { temporaryFolder } from '../support/panel.ts'
import { svc } from '../support/svc.ts'
import { application, expectAdministrator, init, prepare, write } from './prepared-application.ts'

const HANDLER = 'app/svc/api/[...path]/route'

/** Runs a program in a folder. Returns what it prints, and whether it opened the service. */
function run(cwd: string, program: string) {
  rmSync(join(cwd, 'panel.db'))
  const args = ['--input-type=module', '-e', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  return { stdout, stderr, isOpened: existsSync(join(cwd, 'panel.db')) }
}

/** An application with a page of Vite, which the command `dev` serves. */
function applicationOfVite(dependency: string, dev: string | undefined): string {
  const cwd = application()
  const dependencies = { vite: '*', [dependency]: '*' }
  write(cwd, 'package.json', JSON.stringify({ type: 'module', dependencies, scripts: { dev } }))
  write(cwd, 'index.html', '<div id="app"></div>')
  return cwd
}

describe('svc init', () => {
  it('needs a package.json', async () => {
    const { code, stderr } = await svc(['init'], { cwd: temporaryFolder() })
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no package.json')])
  })

  it('lets Next.js pass every method of the API on, as the examples do', async () => {
    const cwd = application('next')
    await init(cwd)
    const methods = [...new Set(Object.values(paths).map(({ method }) => method)), 'OPTIONS']
    const handlers = ['examples/next', 'examples/payload'].map((name) => `${name}/${HANDLER}.ts`)
    for (const handler of [join(cwd, `${HANDLER}.js`), ...handlers]) {
      const code = readFileSync(handler, 'utf8')
      const exported = Array.from(code.matchAll(/serve as ([A-Z]+)/g), ([, method]) => method)
      expect([handler, exported.toSorted()]).toEqual([handler, methods.toSorted()])
    }
  })

  it('puts the service in front of Koa', { timeout: 60_000 }, async () => {
    const cwd = application('koa')
    const { framework, code } = await prepare(cwd, [])
    expect(framework).toBe('koa')
    const app = 'const app = { callback: () => (_request, response) => response.end() }'
    const server = [app, ...code].join('\n').replace('listen(3000)', 'listen(PORT, READY)')
    write(cwd, 'server.js', server)
    await expectAdministrator(cwd, 'server.js')
  })

  it.each([
    ['next', "serverExternalPackages: ['@svc/auth', 'better-sqlite3'],"],
    ['nitro', "traceDeps: ['@svc/auth', 'better-sqlite3'],"],
  ])('leaves the service and its driver out of the bundle of %s', async (framework, setting) => {
    const cwd = application(framework, 'better-sqlite3')
    write(cwd, 'tsconfig.json', '{}')
    expect((await init(cwd)).code).toContain(setting)
  })

  it('opens no service for a page that the build of SvelteKit renders', async () => {
    const cwd = application('@sveltejs/kit')
    const { code } = await prepare(cwd, [])
    // The modules that Vite provides.
    const hooks = code
      .join('\n')
      .replace(/^import \{ building \}.*$/m, 'const building = true')
      .replace(/^import \{ sequence \}.*$/m, 'const sequence = (handle) => handle')
      .replace('./lib/server/auth', './lib/server/auth.js')
    write(cwd, 'src/hooks.server.js', hooks)
    const ran = run(
      cwd,
      `const { handle } = await import('./src/hooks.server.js')
      const getClientAddress = () => { throw new Error('a build has no client') }
      console.log(await handle({ event: { getClientAddress }, resolve: () => 'resolved' }))`,
    )
    expect(ran).toEqual({ stdout: 'resolved\n', stderr: '', isOpened: false })
  })

  it.each([
    ['2.70.4', '$app/environment'],
    ['3.2.0', '$app/env'],
  ])('imports what tells a build from a server as SvelteKit %s has it', async (version, module) => {
    const cwd = application('@sveltejs/kit')
    write(cwd, 'node_modules/@sveltejs/kit/package.json', JSON.stringify({ version }))
    const { code } = await prepare(cwd, [])
    expect(code).toContain(`import { building } from '${module}'`)
  })

  it('opens no service for a page that the build of Nuxt renders', async () => {
    const cwd = application('nuxt')
    await prepare(cwd, [])
    const file = 'server/middleware/panel.js'
    const middleware = readFileSync(join(cwd, file), 'utf8')
    // Nitro replaces the flag as well.
    const built = middleware
      .replace('import.meta.prerender', 'true')
      .replace('../utils/auth', '../utils/auth.js')
    write(cwd, file, built)
    const ran = run(
      cwd,
      `globalThis.defineEventHandler = (handler) => handler
      const { default: handle } = await import('./${file}')
      console.log(await handle({}))`,
    )
    expect(ran).toEqual({ stdout: 'undefined\n', stderr: '', isOpened: false })
  })

  it.each([
    ['vite', 'node'],
    ['express', 'express'],
  ])('lets Vite pass on what a server beside it answers: %s', async (dependency, framework) => {
    const cwd = applicationOfVite(dependency, 'vite --open')
    const { code, steps, ...written } = await init(cwd)
    expect(written.framework).toBe(framework)
    expect(code).toContain("server: { proxy: { '/svc': api, '/admin': api, '/api': api } },")
    expect(readFileSync(join(cwd, 'auth.js'), 'utf8')).toContain("?? 'http://localhost:5173'")
    expect(steps.at(-2)).toContain('http://localhost:5173/admin/main')
    expect(steps.at(-1)).toMatch(/docs\/vite\.md$/)
  })

  it.each([
    ['Vite only builds', undefined],
    ['a server renders the pages by Vite', 'node server.js'],
  ])('needs no proxy where %s', async (_case, dev) => {
    const cwd = applicationOfVite('express', dev)
    const { code, steps } = await init(cwd)
    expect([...code, ...steps].join()).not.toMatch(/proxy|5173|vite\.md/)
  })

  it('starts Elysia by Node where its adapter is installed', async () => {
    const stepsOf = async (...names: readonly string[]) =>
      (await init(application('elysia', ...names))).steps.join()
    expect(await stepsOf('@elysiajs/node')).toContain('node --env-file=.env server.js')
    expect(await stepsOf()).toContain('bun --env-file=.env server.ts')
  })

  it.each([
    ['adminjs', 'express'],
    ['payload', 'next'],
    ['react-admin', 'express'],
  ])('names the page about %s', async (name, framework) => {
    const { steps } = await init(application(name, framework))
    expect(steps.at(-1)).toContain(`docs/frameworks/${name}.md`)
  })
})
