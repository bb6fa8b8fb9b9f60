// Reads the TypeScript that pages show, as the modules of an application of each page.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typeErrors } from './type-check.mjs'

/** The application around the blocks: what they import from `./auth.ts` and the like. */
const APPLICATION = fileURLToPath(new URL('page-application/', import.meta.url))
/** The code of an example application, which is checked where it is. */
const GENERATED = /<!-- generated: .+ -->\n[\s\S]*?<!-- end -->/g
/** A block of a group of the site has the title of its tab in brackets. */
const BLOCK = /^```(?<language>tsx?)(?: \[[^\]\n]+\])?\n(?<code>[\s\S]*?)^```$/gm
const FILE = /^\/\/ (?<file>[\w./-]+\.tsx?)\b/
const IMPORT = /^import (?:type )?\{(?<names>[^}]+)\} from '[^']+'$/gm

/**
 * Type-checks the blocks of pages.
 *
 * @param {Readonly<Record<string, string>>} pages Their texts, by their paths.
 * @param {string} folder Is emptied. Inside the package, so that its own name resolves.
 * @param {Parameters<typeof typeErrors>[2]} [host] The compiler of a host. Default: this project's.
 * @returns {readonly string[]} The compiler's errors.
 */
export function errorsInPages(pages, folder, host) {
  const modules = Object.entries(pages).flatMap(([page, text]) =>
    Object.entries(modulesOf(page, text)),
  )
  return typeErrors(Object.fromEntries([...application(/\.d\.ts$/), ...modules]), folder, host)
}

/**
 * Returns the modules of a page: each block is one, under the name that its first line gives it, or
 * a number. A block may use what an earlier block of the page imports.
 *
 * @param {string} page Its path; names the folder of the modules.
 * @param {string} text
 * @returns {Readonly<Record<string, string>>} Their code, by their paths.
 */
export function modulesOf(page, text) {
  const folder = page.replaceAll(/[/.]/g, '-')
  const around = application(/(?<!\.d)\.ts$/)
  const modules = new Map(around.map(([file, code]) => [join(folder, file), code]))
  const imported = new Map()
  const shown = text.replaceAll(GENERATED, blank)
  for (const { groups, index } of shown.matchAll(BLOCK)) {
    const { language, code } = groups
    const line = shown.slice(0, index).split('\n').length
    const file = FILE.exec(code)?.groups.file ?? `line-${line}.${language}`
    const own = importsOf(code)
    const missing = [...imported].filter(([name]) => !own.has(name) && uses(code, name))
    const statements = missing.map(([name, from]) => `import { ${name} } from ${from}\n`)
    modules.set(join(folder, file), `${statements.join('')}${code}export {}\n`)
    for (const [name, from] of own) imported.set(name, from)
  }
  return Object.fromEntries(modules)
}

function application(names) {
  const files = readdirSync(APPLICATION).filter((file) => names.test(file))
  return files.map((file) => [file, readFileSync(join(APPLICATION, file), 'utf8')])
}

/** Keeps the lines, so that a module is named after the line of its block. */
function blank(part) {
  return part.replaceAll(/[^\n]+/g, '')
}

function importsOf(code) {
  const names = Array.from(code.matchAll(IMPORT), ({ 0: statement, groups }) => {
    const from = statement.slice(statement.lastIndexOf("'", statement.length - 2))
    return groups.names.split(',').map((name) => [name.trim(), from])
  })
  return new Map(names.flat())
}

function uses(code, name) {
  const declared = new RegExp(String.raw`\b(?:const|function|class) ${name}\b`).test(code)
  return !declared && new RegExp(String.raw`\b${name}\b`).test(code)
}
