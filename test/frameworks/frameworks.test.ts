import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/frameworks.md', 'utf8')
const hosts = readdirSync('test/frameworks').filter((name) => !/\.test\.|^users\./.test(name))

it.each(hosts)('docs/frameworks.md shows %s as it is checked', (name) => {
  expect(page).toContain(readFileSync(`test/frameworks/${name}`, 'utf8'))
})

it('the host of NestJS compiles with the decorators that NestJS asks for', () => {
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023']
  const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node']
  const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata']
  const files = ['--ignoreConfig', 'test/frameworks/nestjs.ts']
  const { stdout } = spawnSync(
    'node_modules/.bin/tsc',
    [...args, ...modules, ...decorators, ...files],
    { encoding: 'utf8' },
  )
  expect(stdout).toBe('')
})
