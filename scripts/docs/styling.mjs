// The tables of docs/styling.md, from the style sheet of the properties.
import { readFileSync } from 'node:fs'
import { code, table } from './generated.mjs'

export const path = 'docs/styling.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const [defaults] = readFileSync('web/spa/styles/tokens.css', 'utf8').split('  }\n')
  const groups = defaults.split('/* ').slice(1)
  const tables = groups.map((group) => {
    const [title = ''] = group.split(' */')
    const properties = group.matchAll(/(--svc-[\w-]+): ([^;]+);/g)
    const rows = Array.from(properties, ([, name, value]) => [code(name), ...valuesOf(value)])
    return `${title}:\n\n${table(['property', 'light, or both', 'dark'], rows)}`
  })
  return { properties: tables.join('\n\n') }
}

/** Returns the values in the light and the dark theme. The second is empty if they are equal. */
function valuesOf(value) {
  const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [null, value, '']
  return [code(light), dark === '' ? '' : code(dark)]
}
