import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AnyJson } from '../support/json.ts'

/** `node:crypto` as Node 18 has it. */
const OLD_CRYPTO = `
  import crypto from 'node:crypto'
  const { hash: _, ...old } = crypto
  const names = Object.keys(old).filter((name) => /^[a-zA-Z]+$/.test(name))
  const source = 'const old = globalThis.oldCrypto; export default old; export const {'
    + names + '} = old'
  globalThis.oldCrypto = old
  import { register } from 'node:module'
  const hooks = 'const source = ' + JSON.stringify(source) + ';'
    + 'export const resolve = async (name, context, next) => name === "node:crypto"'
    + ' ? { url: "old:crypto", shortCircuit: true } : next(name, context);'
    + 'export const load = async (url, context, next) => url === "old:crypto"'
    + ' ? { format: "module", source, shortCircuit: true } : next(url, context)'
  register('data:text/javascript,' + encodeURIComponent(hooks))`

const entries = ['', '/redis', '/sqlite', '/users', '/hashes', '/totp', '/express', '/node']
const script = `${entries.map((entry) => `import '@svc/auth${entry}'`).join('\n')}
  import { createPanelAuth } from '@svc/auth'
  createPanelAuth({})`

it('the start names the Node that the package needs where Node is older', () => {
  const imports = `data:text/javascript,${encodeURIComponent(OLD_CRYPTO)}`
  const args = ['--import', imports, '--input-type=module', '-e', script]
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const { engines }: AnyJson = JSON.parse(readFileSync('package.json', 'utf8'))
  const [oldest] = /\d+\.\d+/.exec(engines.node) ?? []
  expect(stderr).toContain(
    `ConfigError: @svc/auth needs Node ${oldest} or newer; this is ${process.versions.node}\n`,
  )
})
