// The generated part of docs/reference.md: every export of the package.
import { join } from 'node:path'
import { entrySources, importNameOf } from '../package-entries.mjs'
import { shownBy } from './examples.mjs'
import { exportsOf } from './exports.mjs'
import { code, fenced } from './generated.mjs'

export const path = 'docs/reference.md'

/** Returns every entry that has declarations, with its exports. */
export function entries() {
  return Object.entries(entrySources).map(([entry, source]) => ({
    name: importNameOf(entry),
    exported: exportsOf(join('build', source.replace(/\.ts$/, '.d.ts'))),
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
    const shown = shownBy(exported)
    const items = exported.map((one) => itemFor(one, shown.get(one.name)))
    return `## ${code(name)}\n\n${items.join('\n').trimEnd()}`
  })
  return { exports: sections.join('\n\n') }
}

/** Returns the item of an export. `shownBy` names the export whose example shows it. */
function itemFor({ name, kind, signature, text, example, see }, shownBy) {
  const elsewhere = [...(shownBy === undefined || shownBy === name ? [] : [shownBy]), ...see]
  const sentences = [text, ...elsewhere.map((other) => `See ${code(other)}.`)].join(' ').trim()
  const lines = [`- ${code(name)} (${kind}): ${sentences}`.trimEnd(), code(signature)]
  if (example !== null) lines.push('', ...fenced(example.language, example.code).split('\n'), '')
  return lines.map((line, index) => (index === 0 || line === '' ? line : `  ${line}`)).join('\n')
}
