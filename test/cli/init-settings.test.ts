import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newKey } from '../../src/cli/key/key-commands.ts'
import { application, init, prepare, write } from './prepared-application.ts'
import { linkPackages } from '../support/linked-packages.ts'

describe('A wrong setting of what svc init writes', () => {
  it.each([
    ['no scheme', 'panel.example.com', /write "https:\/\/panel\.example\.com"/],
    ['no value', '', /is empty.*https:\/\/panel\.example\.com/],
    ['a slash', 'https://panel.example.com/', /write "https:\/\/panel\.example\.com"/],
    ['a path', 'https://panel.example.com/admin', /name the path in svc\.prefix/],
    ['quotes', '"https://panel.example.com"', /quotes.*remove them/],
  ])('names app.url for an APP_URL with %s', async (_what, url, remedy) => {
    const cwd = application('express')
    await prepare(cwd, [])
    expect(errorOf(cwd, { APP_URL: url, APP_KEY: newKey() })).toMatch(
      new RegExp(`^ConfigError: app\\.url: .*${remedy.source}`, 'm'),
    )
  })

  it.each([
    ['pg', undefined],
    ['pg', ''],
    ['pg', 'localhost:5432/app'],
    ['pg', '"postgres://a:secret@localhost/b"'],
    ['mysql2', undefined],
    ['mysql2', 'localhost:3306/app'],
    ['mysql2', '"mysql://a:secret@localhost/b"'],
  ])('names the address for %s whose DATABASE_URL is %s', async (driver, url) => {
    const cwd = application('express', driver)
    linkPackages(cwd, ['@svc/auth', driver])
    await init(cwd)
    const message = errorOf(cwd, {
      APP_KEY: newKey(),
      ...(url !== undefined && { DATABASE_URL: url }),
    })
    expect(message).toMatch(/^ConfigError: .*give an address, like (?:postgres|mysql):\/\//m)
    expect(message).not.toContain('secret')
    expect(message.includes('variable that it comes from, such as DATABASE_URL')).toBe(
      (url ?? '') === '',
    )
  })
})

describe('What svc init says to do', () => {
  it.skipIf(isBuiltin('node:sqlite'))('allows the script that builds better-sqlite3', async () => {
    const { steps } = await init(application('express'))
    expect(steps[0]).toMatch(
      /allowScripts\.better-sqlite3=true --json && npm install .*better-sqlite3/,
    )
  })
})

it.each([
  ['fastify', 'fastify start -l info app.js', 'npx fastify start -l info app.js'],
  ['express', 'node ./bin/www', 'node --env-file=.env ./bin/www'],
  ['express', 'node --watch app.js', 'node --env-file=.env server.js'],
])(
  'The start that svc init names for %s with the script `%s` is %s',
  async (name, start, named) => {
    const cwd = application(name)
    write(
      cwd,
      'package.json',
      JSON.stringify({ dependencies: { [name]: '*' }, scripts: { start } }),
    )
    const { steps } = await init(cwd)
    expect(steps.at(-2)).toContain(`as by ${named}, and`)
  },
)

it('The start that svc init names is by tsx where the application has it, also where Node reads TypeScript', async () => {
  const cwd = application('express', 'tsx')
  write(cwd, 'tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }')
  expect((await init(cwd)).steps.join('\n')).toContain('npx tsx --env-file=.env server.ts')
})

it.each([
  ['as linters prefer it', '{}', 'process.env.APP_KEY'],
  [
    'as the compiler demands it',
    '{ "compilerOptions": { "noPropertyAccessFromIndexSignature": true } }',
    "process.env['APP_KEY']",
  ],
])('What svc init writes reads a variable %s', async (_what, settings, read) => {
  const cwd = application('express')
  write(cwd, 'tsconfig.json', settings)
  await init(cwd)
  expect(readFileSync(join(cwd, 'auth.ts'), 'utf8')).toContain(`${read} ?? ''`)
})

describe('The steps of svc init in an application of pnpm', () => {
  it('are commands of pnpm, which npm and npx refuse there', async () => {
    const cwd = application('express')
    write(cwd, 'tsconfig.json', '{}')
    write(cwd, 'pnpm-lock.yaml', '')
    const steps = (await init(cwd, '--two-factor')).steps.join('\n')
    expect(steps).toMatch(/ {2}pnpm add .*otpauth qrcode$/m)
    expect(steps).toMatch(/ {2}pnpm add .*--save-dev @types\/node/)
    expect(steps).toContain('pnpm exec svc --env-file .env user create')
    expect(steps).not.toMatch(/\bnp[mx] /)
  })

  it('allow the build of esbuild, without which pnpm 11 and later fail to add tsx', async () => {
    const cwd = application('express')
    write(cwd, 'tsconfig.json', '{}')
    write(cwd, 'package.json', JSON.stringify({ dependencies: { express: '5' } }))
    write(cwd, 'pnpm-lock.yaml', '')
    expect((await init(cwd)).steps.join('\n')).toMatch(
      / {2}pnpm add --allow-build=esbuild --save-dev .*tsx$/m,
    )
  })

  it.skipIf(isBuiltin('node:sqlite'))('build the better-sqlite3 of Node 20', async () => {
    const cwd = application('express')
    write(cwd, 'pnpm-lock.yaml', '')
    expect((await init(cwd)).steps[0]).toContain(
      'pnpm add --allow-build=better-sqlite3 better-sqlite3@12',
    )
  })
})

describe('The steps of svc init in an application of Yarn', () => {
  it('are commands of Yarn, as npx would fetch a package of another author there', async () => {
    const cwd = application('express')
    write(cwd, 'tsconfig.json', '{}')
    write(cwd, 'yarn.lock', '')
    const steps = (await init(cwd, '--two-factor', '--database', 'postgres')).steps.join('\n')
    expect(steps).toMatch(/ {2}yarn add .*otpauth qrcode$/m)
    expect(steps).toMatch(/ {2}yarn add --dev @types\/node/)
    expect(steps).toContain('yarn svc --env-file .env user create')
    expect(steps).not.toMatch(/\bnp[mx] /)
  })

  it('start JavaScript with the packages of Yarn', async () => {
    const cwd = application('express')
    write(cwd, 'yarn.lock', '')
    expect((await init(cwd)).steps.join('\n')).toContain('yarn node --env-file=.env server.js')
  })

  it.skipIf(isBuiltin('node:sqlite'))('build the better-sqlite3 of Node 20', async () => {
    const cwd = application('express')
    write(cwd, 'yarn.lock', '')
    expect((await init(cwd)).steps[0]).toContain(
      'dependenciesMeta.better-sqlite3.built=true --json && yarn add better-sqlite3@12',
    )
  })
})

describe('What svc init says to do in a workspace', () => {
  it('is said by the lock file of pnpm around the package', async () => {
    const cwd = application('express')
    write(cwd, 'pnpm-lock.yaml', '')
    write(cwd, 'packages/admin/package.json', '{ "dependencies": { "express": "*" } }')
    const steps = (await init(join(cwd, 'packages/admin'))).steps.join('\n')
    expect(steps).toContain('pnpm exec svc --env-file .env user create')
    expect(steps).not.toMatch(/\bnp[mx] /)
  })

  it.skipIf(isBuiltin('node:sqlite'))('allows the build in the root, as npm demands', async () => {
    const cwd = application()
    write(cwd, 'package.json', '{ "workspaces": ["packages/*"] }')
    write(cwd, 'packages/admin/package.json', '{ "dependencies": { "express": "*" } }')
    expect((await init(join(cwd, 'packages/admin'))).steps[0]).toContain(
      `npm --prefix ${join('..', '..')} pkg set allowScripts.better-sqlite3=true --json &&`,
    )
  })

  it.each([
    ['of npm', 'package.json', '{ "workspaces": ["packages/*"] }', 1],
    ['of pnpm', 'pnpm-workspace.yaml', 'packages:\n  - packages/*\n', 1],
    ['of nothing', 'pnpm-workspace.yaml', 'onlyBuiltDependencies: []\n', 0],
  ])('leads from the root %s to the package', async (_what, name, text, count) => {
    const cwd = application()
    write(cwd, name, text)
    const { steps } = await init(cwd)
    expect(steps.filter((step) => /root of a workspace/.test(step))).toHaveLength(count)
  })
})

describe('The advice of svc init for tsconfig.json', () => {
  it.each([
    ['a path', '"../../base.json"', '../../base.json'],
    ['a path without the extension', '"../../base"', '../../base.json'],
    ['a list', '["../../base.json"]', '../../base.json'],
    ['a package', '"@acme/base"', 'node_modules/@acme/base/tsconfig.json'],
    ['a file of a package', '"@acme/base/node.json"', 'node_modules/@acme/base/node.json'],
  ])('reads what it extends by %s', async (_what, name, path) => {
    const cwd = join(application(), 'packages/admin')
    write(cwd, 'package.json', '{ "dependencies": { "express": "*" } }')
    write(cwd, path, '{ "compilerOptions": { "verbatimModuleSyntax": true, "rootDir": "old", }, }')
    write(cwd, 'tsconfig.json', `{ "extends": ${name}, /* more */ "include": ["src"], }`)
    const { steps, files } = await init(cwd)
    expect(steps.join()).toContain('verbatimModuleSyntax')
    expect(files[0]?.path).toBe(join('src', 'auth.ts'))
  })

  it('prefers the own options to those that are extended', async () => {
    const cwd = application('express')
    write(cwd, 'base.json', '{ "compilerOptions": { "module": "commonjs", "types": [] } }')
    const own = '"compilerOptions": { "module": "nodenext", "types": ["node"] }'
    write(cwd, 'tsconfig.json', `{ "extends": "./base.json", ${own} }`)
    expect((await init(cwd)).steps.join()).not.toContain('tsconfig.json')
  })

  const asModules = '"module": "commonjs", "target": "es2016"'

  it.each([
    ['module', '"types": []', 'write "types": ["node"]'],
    ['commonjs', '"types": [ ]', 'write "types": ["node"]'],
    ['module', asModules, 'write "nodenext"'],
  ])('fits an application of type %s with %s', async (type, setting, said) => {
    const cwd = application('express', 'mysql2')
    write(cwd, 'package.json', JSON.stringify({ type, dependencies: { mysql2: '*' } }))
    write(cwd, 'tsconfig.json', `{ "compilerOptions": { ${setting} } }`)
    expect((await init(cwd)).steps).toContainEqual(expect.stringContaining(said))
  })

  it.each([
    ['module', '"types": ["node"], "module": "nodenext"'],
    ['commonjs', '"types": ["node"], "module": "commonjs"'],
  ])('is missing where type %s has %s', async (type, setting) => {
    const cwd = application('express')
    write(cwd, 'package.json', JSON.stringify({ type }))
    write(cwd, 'tsconfig.json', `{ "compilerOptions": { ${setting} } }`)
    expect((await init(cwd)).steps.join()).not.toContain('tsconfig.json')
  })
})

describe('svc init in an application of TypeScript', () => {
  it('reads the configuration for Node where tsconfig.json only refers to others, as of Vite', async () => {
    const cwd = application('express')
    const [page, node] = ['tsconfig.app.json', 'tsconfig.node.json']
    const references = [{ path: `./${page}` }, { path: `./${node}` }]
    write(cwd, 'tsconfig.json', JSON.stringify({ files: [], references }))
    write(cwd, page, '{ "compilerOptions": { "types": ["vite/client"] }, "include": ["src"] }')
    write(
      cwd,
      node,
      '{ "compilerOptions": { "types": ["node"], "allowImportingTsExtensions": true, "noEmit": true } }',
    )
    const { files, code } = await init(cwd)
    expect([files[0]?.path, code[1]]).toEqual(['auth.ts', "import { auth } from './auth.ts'"])
  })

  it.each([
    ['has files of its own', '.', { include: ['server'] }],
    ['refers to other folders', './packages/one', { files: [] }],
  ])('reads tsconfig.json where it %s', async (_what, folder, own) => {
    const cwd = application('express')
    const path = `${folder}/tsconfig.node.json`
    write(cwd, 'tsconfig.json', JSON.stringify({ ...own, references: [{ path }] }))
    write(
      cwd,
      path,
      '{ "compilerOptions": { "types": ["node"], "allowImportingTsExtensions": true } }',
    )
    expect((await init(cwd)).code[1]).toMatch(/auth\.js'$/)
  })

  it('writes TypeScript where tsx runs it without a tsconfig.json', async () => {
    const { files, code } = await init(application('express', 'tsx'))
    expect([files[0]?.path, code[1]]).toEqual(['auth.ts', "import { auth } from './auth.ts'"])
  })
})

describe('The start that svc init names', () => {
  const TYPESCRIPT = isBuiltin('node:sqlite') ? /node|npx tsx/ : /npx tsx/

  it.each([
    ['express', /as by node --env-file=\.env server\.js, /],
    ['@nestjs/core', /as by npx nest start --watch --env-file \.env, /],
    ['@react-router/dev', /as by npx react-router dev, /],
    ['@sveltejs/kit', /as by node --env-file=\.env node_modules\/vite\/bin\/vite\.js dev, /],
  ])('gives the variables of .env to an application of %s', async (dependency, start) => {
    expect((await init(application(dependency))).steps.join('\n')).toMatch(start)
  })

  it.each([
    ['.js', { type: 'module' }, './auth.js'],
    ['nothing', {}, './auth'],
  ])('is by tsx where an import of TypeScript ends in %s', async (_what, type, path) => {
    const cwd = application()
    write(cwd, 'package.json', JSON.stringify({ ...type, dependencies: { express: '*' } }))
    write(cwd, 'tsconfig.json', '{}')
    const { code, steps } = await init(cwd)
    expect(code).toContain(`import { auth } from '${path}'`)
    expect(steps).toContainEqual(expect.stringMatching(/npm install --save-dev .*tsx$/))
    expect(steps.join('\n')).toContain('as by npx tsx --env-file=.env server.ts, ')
  })

  it('runs TypeScript', async () => {
    const { steps } = await init(application('express', 'tsx'))
    expect(steps.join('\n')).toMatch(
      new RegExp(`as by (?:${TYPESCRIPT.source}) --env-file=\\.env server\\.ts, `),
    )
  })

  it.each([
    ['express', 'auth.js', 3000],
    ['@react-router/dev', 'app/auth.server.js', 5173],
    ['@sveltejs/kit', 'src/lib/server/auth.js', 5173],
  ])('leads to the default address of %s', async (dependency, file, port) => {
    const cwd = application(dependency)
    await init(cwd)
    expect(readFileSync(join(cwd, file), 'utf8')).toContain(`?? 'http://localhost:${port}'`)
  })
})

/** Imports the service of an application, and returns the error. */
function errorOf(cwd: string, env: Readonly<Record<string, string>>): string {
  const { stderr } = spawnSync(process.execPath, [join(cwd, 'auth.js')], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return stderr
}
