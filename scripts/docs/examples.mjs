// Reads the `@example` blocks of docstrings, and has the compiler check them against what was built.
import { typeErrors } from './type-check.mjs'

const FENCE = /^```(tsx?)$/

/**
 * Returns the example of a docstring; `null` for none.
 *
 * @param {string} doc
 * @returns {{ readonly language: string, readonly code: string } | null}
 * @throws {Error} There are several, or it is not in a fence that names its language.
 */
export function exampleIn(doc) {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''))
  const marks = lines.flatMap((line, index) => (/^@example\b/.test(line) ? [index] : []))
  if (marks.length === 0) return null
  const [mark = 0] = marks
  const [, language] = FENCE.exec(lines[mark + 1] ?? '') ?? []
  const end = lines.indexOf('```', mark + 2)
  if (marks.length > 1 || language === undefined || end === -1)
    throw new Error(`write one @example, in a fence of ts or tsx: ${doc.trim()}`)
  return { language, code: lines.slice(mark + 2, end).join('\n') }
}

/**
 * Finds the example that shows an export: its own, else that of the nearest export whose
 * declaration names it, directly or through other exported types.
 *
 * @param {readonly Exported[]} exported Every export of one entry.
 * @returns {ReadonlyMap<string, string>} The names of the exports with those examples.
 */
export function shownBy(exported) {
  const shown = new Map()
  let nearest = exported.filter(({ example }) => example !== null)
  for (const { name } of nearest) shown.set(name, name)
  while (nearest.length > 0) {
    const next = nearest.flatMap((from) =>
      exported
        .filter(({ name }) => !shown.has(name) && from.mentions.has(name))
        .map((to) => {
          shown.set(to.name, shown.get(from.name))
          return to
        }),
    )
    nearest = next
  }
  return shown
}

/**
 * Type-checks the examples. Each is a module of its own, which has the exports of its entry, and
 * the names that `example-context.d.ts` declares.
 *
 * @param {readonly { readonly name: string, readonly exported: readonly Exported[] }[]} entries
 * @param {string} folder Is emptied. Inside the package, so that its own name resolves.
 * @returns {readonly string[]} The compiler's errors.
 */
export function errorsInExamples(entries, folder) {
  const modules = entries.flatMap(({ name, exported }) =>
    exported
      .filter(({ example }) => example !== null)
      .map((one) => {
        const file = `${name.replace(/^@[^/]+\//, '').replaceAll('/', '-')}-${one.name}`
        return [`${file}.${one.example.language}`, moduleOf(one.example, name, exported)]
      }),
  )
  return typeErrors(Object.fromEntries(modules), folder)
}

function moduleOf({ code }, entry, exported) {
  const declared = new RegExp(String.raw`\bfrom '${entry}'`).test(code)
  const used = exported.filter(({ name }) => new RegExp(String.raw`\b${name}\b`).test(code))
  const names = used.map(({ name, isValue }) => (isValue ? name : `type ${name}`))
  const imports = declared || names.length === 0 ? '' : `import { ${names} } from '${entry}'\n`
  // A module, even where it imports nothing.
  return `${imports}${code}\nexport {}\n`
}

/** @typedef {ReturnType<typeof import('./exports.mjs').exportsOf>[number]} Exported */
