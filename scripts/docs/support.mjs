// The tables of docs/support.md, from the files that say which releases the tests run on.
import { readFileSync } from 'node:fs'
import { NODES } from '../node-releases.mjs'
import { OLDEST as OLDEST_OF_EXAMPLES } from '../examples/oldest.mjs'
import { OLDEST as OLDEST_TYPESCRIPT } from '../typescript-releases.mjs'
import { code, table } from './generated.mjs'

export const path = 'docs/support.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  return { languages: table(['release', 'tested', 'held by'], languages()), peers: peers() }
}

function languages() {
  const { engines, devDependencies } = readManifest('.')
  const [typescript] = OLDEST_TYPESCRIPT
  return [
    [`Node ${engines.node}`, Object.values(NODES).join(', '), code('npm run test:nodes')],
    [
      `TypeScript ${typescript.split('@')[1].replace(/\.\d+$/, '')} and newer`,
      `${typescript.split('@')[1]}, ${devDependencies.typescript}`,
      code('test/long/typescript.long.test.ts'),
    ],
  ]
}

function peers() {
  const { peerDependencies, devDependencies } = readManifest('.')
  const rows = Object.entries(peerDependencies).map(([name, range]) => {
    const example = name in devDependencies ? undefined : exampleOf(name)
    const newest = devDependencies[name] ?? readManifest(`examples/${example}`).dependencies[name]
    const oldest = range.replace('>=', '')
    const isInExamples = Object.values(OLDEST_OF_EXAMPLES).some((packages) => name in packages)
    const held = [isInExamples && 'npm run examples', isInPeers(name) && 'npm run test:peers']
    return [code(name), range, `${oldest}, ${newest}`, held.filter(Boolean).map(code).join(', ')]
  })
  return table(['package', 'range', 'tested', 'oldest held by'], rows)
}

function exampleOf(name) {
  return Object.keys(OLDEST_OF_EXAMPLES).find((example) => name in OLDEST_OF_EXAMPLES[example])
}

function isInPeers(name) {
  return new RegExp(`^  '?${name}'?: '`, 'm').test(readFileSync('scripts/peers.mjs', 'utf8'))
}

function readManifest(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
}
