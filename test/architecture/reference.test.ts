import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OLDEST } from '../../scripts/examples/oldest.mjs'
import { withGenerated } from '../../scripts/docs/generated.mjs'
import { entries, parts, path } from '../../scripts/docs/reference.mjs'

const page = readFileSync(path, 'utf8')
/** The entries whose framework is installed in their examples only, so that nothing here can import them. */
const inExamples = new Set(Object.keys(OLDEST).map((framework) => `@svc/auth/${framework}`))

describe('docs/reference.md', () => {
  it('lists the exports of every entry, as they are declared now', () => {
    expect(withGenerated(page, parts()), 'run `npm run docs` to rewrite the page').toBe(page)
  })

  it('leaves out no entry of the package that has code', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }
    const withCode = Object.keys(exports).filter((entry) => !/\.(?:json|css)$/.test(entry))
    expect(entries().map(({ name }) => name)).toEqual(
      withCode.map((entry) => entry.replace('.', '@svc/auth')),
    )
  })

  it('describes every export', () => {
    const undescribed = entries().flatMap(({ name, exported }) =>
      exported.filter(({ text }) => text === '').map((one) => `${name}: ${one.name}`),
    )
    expect(undescribed, 'write a docstring that says more than the name').toEqual([])
  })

  it.each(entries().map(({ name, exported }) => [name, exported] as const))(
    'lists every value that %s exports',
    async (name, exported) => {
      const listed = exported.filter(({ isValue }) => isValue).map((one) => one.name)
      const imported = inExamples.has(name)
        ? namesIn(name)
        : Object.keys((await import(/* @vite-ignore */ name)) as object)
      expect(listed.toSorted()).toEqual(imported.toSorted())
    },
  )
})

/** Returns the names that the built module of an entry exports. */
function namesIn(entry: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { default: string }>
  }
  const file = exports[entry.replace('@svc/auth', '.')]?.default ?? ''
  const lists = readFileSync(file, 'utf8').matchAll(/^export \{ ([^}]+) \}/gm)
  return Array.from(lists, ([, names = '']) => names.split(', ')).flat()
}
