// The pages of docs/frameworks: their code is that of the example applications.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fenced } from './generated.mjs'

const FOLDER = 'docs/frameworks'
const MARKER = /<!-- generated: (?<file>examples\/\S+) -->/g
const LANGUAGES = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.svelte': 'svelte',
  '.vue': 'vue',
  '.json': 'json',
}

/** @returns {readonly { readonly path: string, readonly parts: () => Readonly<Record<string, string>> }[]} */
export function pages() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
  return names.map((name) => join(FOLDER, name)).map((path) => ({ path, parts: () => parts(path) }))
}

/**
 * Generates the code that a page shows.
 *
 * @param {string} path of the page
 * @returns {Readonly<Record<string, string>>} by the file in the marker
 */
function parts(path) {
  const files = Array.from(readFileSync(path, 'utf8').matchAll(MARKER), ({ groups }) => groups.file)
  return Object.fromEntries(files.map((file) => [file, shown(file)]))
}

/** Returns a file under its path within the example. */
function shown(file) {
  const [, , ...path] = file.split('/')
  const language = LANGUAGES[extname(basename(file))]
  if (language === undefined)
    throw new Error(`${file}: name its language in scripts/docs/frameworks.mjs`)
  return `\`${path.join('/')}\`\n\n${fenced(language, readFileSync(file, 'utf8').trimEnd())}`
}
