import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OLDEST } from '../../scripts/examples/oldest.mjs'
import { entries } from '../../scripts/docs/reference.mjs'

/** The entries whose framework is installed in their examples only, so that nothing here can import them. */
const inExamples = new Set(Object.keys(OLDEST).map((framework) => `@svc/auth/${framework}`))

describe('docs/reference.md', () => {
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
