// The pages about frameworks and single sign-on: their code is that of the example applications and of tests.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fenced } from './generated.mjs'

const FOLDER = 'docs/frameworks'
const MARKER = /<!-- generated: (?<file>(?:examples|test)\/\S+) -->/g
/** Endings of the paths that a framework's application imports; `.ts` elsewhere. */
const EXTENSIONS = {
  nestjs: '.js',
  'nestjs-cjs': '',
  next: '',
  nuxt: '',
  payload: '',
  'react-router': '',
  sveltekit: '',
}
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
  const paths = [
    `${FOLDER}.md`,
    'docs/single-sign-on.md',
    ...names.map((name) => join(FOLDER, name)),
  ]
  return paths.map((path) => ({ path, parts: () => parts(path) }))
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

function shown(file) {
  const language = LANGUAGES[extname(basename(file))]
  if (language === undefined)
    throw new Error(`${file}: name its language in scripts/docs/frameworks.mjs`)
  return `\`${file}\`\n\n${fenced(language, withOwnCode(file))}`
}

/** Returns a file as a reader has it: the package that the examples share is a file of the reader's. */
function withOwnCode(file) {
  const [, example, ...inside] = file.split('/')
  const up = inside.length > 1 ? '../'.repeat(inside.length - 1) : './'
  const own = `${up}shop${EXTENSIONS[example] ?? '.ts'}`
  return readFileSync(file, 'utf8')
    .trimEnd()
    .replaceAll("from '@example/shop'", `from '${own}'`)
    .replaceAll(", '@example/shop'", '')
}
