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
/** Folders outside which the compiler of an application takes no file. */
const SOURCES = { nestjs: 'src', 'nestjs-cjs': 'src' }
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
  return Object.fromEntries(filesOf(path).map((file) => [file, shown(file)]))
}

function filesOf(path) {
  return Array.from(readFileSync(path, 'utf8').matchAll(MARKER), ({ groups }) => groups.file)
}

/**
 * Returns the application that a page shows, by the paths of its files.
 *
 * @param {string} path of the page
 * @param {string} own The text of the reader's own file.
 * @returns {Readonly<Record<string, string>>}
 */
export function applicationOf(path, own) {
  const files = filesOf(path)
  const shops = files.map((file) => [`${join(...ownFolderOf(file))}/shop.ts`, own])
  return Object.fromEntries([...shops, ...files.map((file) => [file, withOwnCode(file)])])
}

function shown(file) {
  const language = LANGUAGES[extname(basename(file))]
  if (language === undefined)
    throw new Error(`${file}: name its language in scripts/docs/frameworks.mjs`)
  return `\`${file}\`\n\n${fenced(language, withOwnCode(file))}`
}

/** Returns a file as a reader has it: the package that the examples share is a file of the reader's. */
function withOwnCode(file) {
  const folder = ownFolderOf(file)
  const up = file.split('/').length - folder.length - 1
  const own = `${up > 0 ? '../'.repeat(up) : './'}shop${EXTENSIONS[folder[1]] ?? '.ts'}`
  return readFileSync(file, 'utf8')
    .trimEnd()
    .replaceAll("from '@example/shop'", `from '${own}'`)
    .replaceAll(", '@example/shop'", '')
}

/** Returns the folder of the reader's own file, by the names on its path. */
function ownFolderOf(file) {
  const [examples, example] = file.split('/')
  return [examples, example, ...(example in SOURCES ? [SOURCES[example]] : [])]
}
