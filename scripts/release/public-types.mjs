// Compares the public types of two builds of the package. API Extractor compares texts, and would also report
// what is only added.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { exportsOf } from '../../scripts/docs/exports.mjs'
import { copyDeclarations } from './declarations.mjs'
import { memberPathsOf } from './member-paths.mjs'

/**
 * Returns what a host that compiles with the package before may find missing or incompatible in the
 * one after: exports that are gone, members of exported types that are gone, and values that cannot
 * stand where the old ones stood.
 *
 * @param {string} before The folder of a package that is built.
 * @param {string} after
 * @param {string} work A folder for the compiler, which is emptied.
 * @returns {readonly { entry: string, name: string, problem: string }[]}
 */
export function incompatibleTypes(before, after, work) {
  const entries = entriesOf(before)
  const newer = entriesOf(after)
  rmSync(work, { recursive: true, force: true })
  const [old, now] = ['before', 'after'].map((name) => join(work, name))
  copyDeclarations(before, old)
  copyDeclarations(after, now)
  const removed = [...entries.keys()].filter((entry) => !newer.has(entry))
  const pairs = [...entries.keys()]
    .filter((entry) => newer.has(entry))
    .map((entry) => ({
      entry,
      before: join(old, entries.get(entry)),
      after: join(now, newer.get(entry)),
    }))
  return [
    ...removed.map((entry) => ({ entry, name: entry, problem: 'the entry is removed' })),
    ...pairs.flatMap(missing),
    ...incompatibleValues(pairs, work),
  ]
}

function entriesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  // A style sheet exports nothing.
  const typed = Object.entries(exports).filter(
    ([entry, { types }]) => types !== undefined && !entry.endsWith('.css'),
  )
  return new Map(typed.map(([entry, { types }]) => [join(name, entry), types]))
}

function missing({ entry, before, after }) {
  const newer = new Map(exportsOf(after).map((one) => [one.name, one]))
  return exportsOf(before).flatMap(({ name, isValue }) => {
    const now = newer.get(name)
    if (now === undefined || (isValue && !now.isValue))
      return [{ entry, name, problem: 'it is removed' }]
    const members = new Set(memberPathsOf(after, name))
    return memberPathsOf(before, name)
      .filter((path) => !members.has(path))
      .map((path) => ({ entry, name, problem: `its member \`${path}\` is removed` }))
  })
}

/**
 * Has the compiler assign each new value to the type of the old one. It follows the types of parameters in
 * one direction and those of results in the other, however deep they are.
 */
function incompatibleValues(pairs, work) {
  const checks = pairs.flatMap(({ entry, before, after }) => {
    const newer = new Set(exportsOf(after).flatMap(({ name, isValue }) => (isValue ? [name] : [])))
    return exportsOf(before)
      .filter(({ name, isValue }) => isValue && newer.has(name))
      .map(({ name }) => ({ entry, name, before, after }))
  })
  writeFileSync(join(work, 'check.ts'), checks.map((check) => assignment(check, work)).join('\n'))
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, files: ['check.ts'] }),
  )
  const args = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', work, '--pretty', 'false']
  const { stdout, stderr, error } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (error ?? stderr) throw error ?? new Error(stderr)
  return errorsIn(stdout).map(({ line, message }) => {
    if (line === null) throw new Error(`The types cannot be compared: ${message}`)
    const { entry, name } = checks[line - 1]
    return { entry, name, problem: message }
  })
}

const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  typeRoots: [resolve('node_modules/@types')],
  types: ['node'],
}

function assignment({ name, before, after }, work) {
  const typeIn = (file) =>
    `typeof import(${JSON.stringify(`./${relative(work, file).replace(/\.d\.ts$/, '.js')}`)}).${name}`
  return `{ const now = null! as ${typeIn(after)}; const before: ${typeIn(before)} = now }`
}

/** Returns the first and the last, most precise line of each error. */
function errorsIn(output) {
  const errors = output.split(/\n(?=\S)/).filter((text) => text.trim() !== '')
  return errors.map((text) => {
    const [first = '', ...more] = text.trimEnd().split('\n')
    const [, line = null, message = first] = /check\.ts\((\d+),\d+\): error (.*)$/.exec(first) ?? []
    return {
      line: line && Number(line),
      message: [message, ...more.slice(-1)].join(' … ').replaceAll(/\s+/g, ' '),
    }
  })
}
