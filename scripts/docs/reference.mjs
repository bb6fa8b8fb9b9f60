// The generated part of docs/reference.md: every export of the package.
import { readFileSync } from 'node:fs'
import { exportsOf } from './exports.mjs'
import { code } from './generated.mjs'

export const path = 'docs/reference.md'

const { name: packageName, exports: targets } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Returns every entry that has declarations, with its exports. */
export function entries() {
  return Object.entries(targets)
    .filter(([, target]) => target.types?.endsWith('.d.ts') && target.default.endsWith('.js'))
    .map(([entry, { types }]) => ({
      name: entry.replace('.', packageName),
      exported: exportsOf(types.replace('./', '')),
    }))
}

/**
 * Returns the generated parts by the name in their markers, as lists: in a table, one changed
 * export would rewrite every line.
 *
 * @returns {Readonly<Record<string, string>>}
 */
export function parts() {
  const sections = entries().map(({ name, exported }) => {
    const items = exported.map(
      ({ name, kind, signature, text }) =>
        `- ${code(name)} (${kind}): ${[text, code(signature)].filter((part) => part !== '').join('\n  ')}`,
    )
    return `## ${code(name)}\n\n${items.join('\n')}`
  })
  return { exports: sections.join('\n\n') }
}
