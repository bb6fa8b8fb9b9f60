// The tables of docs/styling.md, from the style sheet of the properties.
import { readFileSync } from 'node:fs'
import { code, table } from './generated.mjs'

export const path = 'docs/styling.md'

const TOKENS = new URL('../../web/spa/styles/tokens.css', import.meta.url)

/** @typedef {{ readonly name: string, readonly light: string, readonly dark: string }} Token */

/**
 * Reads the properties of the style sheet by group. `dark` is empty if both themes have one value.
 *
 * @returns {readonly { readonly title: string, readonly tokens: readonly Token[] }[]}
 */
export function tokenGroups() {
  const [defaults] = readFileSync(TOKENS, 'utf8').split('  }\n')
  const groups = defaults.split('/* ').slice(1)
  return groups.map((group) => {
    const [title = ''] = group.split(' */')
    const properties = group.matchAll(/(--svc-[\w-]+):\s+([^;]+);/g)
    return { title, tokens: Array.from(properties, ([, name, value]) => tokenOf(name, value)) }
  })
}

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const tables = tokenGroups().map(({ title, tokens }) => {
    const rows = tokens.map(({ name, light, dark }) => [name, light, dark].map(codeOrNothing))
    return `${title}:\n\n${table(['property', 'light, or both', 'dark'], rows)}`
  })
  return { properties: tables.join('\n\n') }
}

function tokenOf(name, value) {
  const line = value.trim().replaceAll(/\s+/g, ' ')
  const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(line) ?? [null, line, '']
  return { name, light, dark }
}

function codeOrNothing(text) {
  return text === '' ? '' : code(text)
}
