// Reads the exports of a built declaration file. It follows re-exports, but does not resolve types:
// TypeDoc and API Extractor do not support this project's compiler yet.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { exampleIn } from './examples.mjs'

const KINDS = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  VariableDeclaration: 'constant',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
}
const VALUES = new Set(['function', 'constant', 'class'])
const SIGNATURE_CHARACTERS = 120

/**
 * Returns the exports of a declaration file, values first, in the order of their names.
 *
 * @param {string} file
 * @returns {readonly {
 *   name: string, kind: string, isValue: boolean, signature: string, text: string,
 *   example: ReturnType<typeof exampleIn>, see: readonly string[], mentions: ReadonlySet<string>,
 *   isContract: boolean
 * }[]} `see`: public names after `@see`. `mentions`: the identifiers in the declaration.
 *   `isContract`: a host implements it.
 */
export function exportsOf(file) {
  const names = [...exportedNames(file)].map(([name, isTypeOnly]) =>
    describe(file, name, isTypeOnly),
  )
  const order = ({ name, isValue }) => `${isValue ? 0 : 1} ${name.toLowerCase()}`
  return names.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
}

/** Returns the exported names; `true` for those that only export a type. */
function exportedNames(file) {
  const names = new Map()
  for (const node of moduleAt(file).program.body) {
    if (node.type === 'ExportAllDeclaration') {
      for (const [name, isTypeOnly] of exportedNames(pathOf(file, node.source)))
        if (!names.has(name)) names.set(name, isTypeOnly || node.exportKind === 'type')
    }
    if (node.type !== 'ExportNamedDeclaration') continue
    for (const { exported, exportKind } of node.specifiers)
      names.set(exported.name, node.exportKind === 'type' || exportKind === 'type')
    for (const name of declaredNames(node.declaration)) names.set(name, false)
  }
  return names
}

/**
 * Returns the syntax tree of the declaration of an exported name.
 *
 * @param {string} file
 * @param {string} name
 */
export function declarationOf(file, name) {
  return findExport(file, name).declaration
}

function findExport(file, name) {
  const found = find(file, name)
  if (found === null) throw new Error(`${file} exports ${name}, which nothing declares`)
  return found
}

function describe(file, name, isTypeOnly) {
  const found = findExport(file, name)
  const kind = KINDS[found.declaration.type]
  const isValue = VALUES.has(kind) && !isTypeOnly
  return {
    name,
    kind,
    isValue,
    signature: signatureOf(found, name),
    text: firstSentence(found.doc),
    example: exampleIn(found.doc),
    see: Array.from(
      found.doc.matchAll(/@see\s`(\w+)` of `(@svc\/auth[\w/]*)`/g),
      ([, name, entry]) => `${entry} ${name}`,
    ),
    mentions: new Set(plainText(found.file, found.declaration).match(/[\w$]+/g)),
    isContract: isContract(found),
  }
}

/** Returns `true` for an interface with methods, or a type of functions, that a host implements. */
function isContract({ file, declaration }) {
  if (!/\/contracts\/[\w-]+\.d\.ts$/.test(file)) return false
  const { type, body, typeAnnotation } = declaration
  return type === 'TSInterfaceDeclaration'
    ? body.body.some((member) => member.type === 'TSMethodSignature')
    : typeAnnotation?.type === 'TSFunctionType'
}

/** Finds what a file exports by a name. A comment at a re-export comes first. */
function find(file, name) {
  for (const node of moduleAt(file).program.body) {
    if (node.type !== 'ExportNamedDeclaration') continue
    if (declaredNames(node.declaration).includes(name))
      return declared(file, node, node.declaration)
    const { local } = node.specifiers.find(({ exported }) => exported.name === name) ?? {}
    if (local === undefined) continue
    const found = node.source
      ? find(pathOf(file, node.source), local.name)
      : findLocal(file, local.name)
    return found && { ...found, doc: docBefore(file, node) || found.doc }
  }
  for (const node of moduleAt(file).program.body) {
    const found =
      node.type === 'ExportAllDeclaration' ? find(pathOf(file, node.source), name) : null
    if (found !== null) return found
  }
  return null
}

/** Finds what a file declares or imports: bundled files export it by another name. */
function findLocal(file, name) {
  for (const node of moduleAt(file).program.body) {
    const declaration = node.declaration ?? node
    if (declaredNames(declaration).includes(name)) return declared(file, node, declaration)
    if (node.type !== 'ImportDeclaration') continue
    const specifier = node.specifiers.find(({ local }) => local.name === name)
    if (specifier !== undefined) return find(pathOf(file, node.source), specifier.imported.name)
  }
  return null
}

function declared(file, node, declaration) {
  return { file, declaration, doc: docBefore(file, node) }
}

function declaredNames(declaration) {
  if (!(declaration?.type in KINDS)) return []
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name]
  return declaration.declarations.map(({ id }) => id.name)
}

const modules = new Map()

export function moduleAt(file) {
  if (!modules.has(file)) {
    const source = readFileSync(file, 'utf8')
    const { program, comments, errors } = parseSync(file, source, { lang: 'dts' })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    modules.set(file, { source, program, comments })
  }
  return modules.get(file)
}

/** Resolves a path: declarations keep the extensions of the sources, and bundled ones have those of the code. */
function pathOf(file, { value }) {
  return join(dirname(file), value.replace(/\.[jt]sx?$/, '.d.ts'))
}

/** Opens the comment of a whole entry, which stands before its first export. */
const OF_THE_FILE = /^\*[\s*]*The entry `/

export function docBefore(file, { start }) {
  const { source, comments } = moduleAt(file)
  const doc = comments.findLast((one) => one.end <= start)
  const isDoc = doc?.value.startsWith('*') && source.slice(doc.end, start).trim() === ''
  return isDoc && !OF_THE_FILE.test(doc.value) ? doc.value : ''
}

function firstSentence(doc) {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trim())
  const text = lines.join(' ').split(/(?:^| )@(?:param|returns|throws|see|example)\b/)[0] ?? ''
  // Code such as `migrate: false` ends no sentence.
  return /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(text.trim())?.[0].replace(/:$/, '.') ?? text.trim()
}

function signatureOf({ file, declaration }, name) {
  const text = plainText(file, declaration)
  switch (KINDS[declaration.type]) {
    case 'interface':
    case 'class':
      return shortened(`${headOf(text)}{ ${memberNames(declaration.body.body).join(', ')} }`)
    case 'type':
      return shortened(text.slice(text.indexOf('=') + 2))
    default:
      return shortened(text.slice(text.indexOf(name)))
  }
}

/** Returns the source without comments, on one line. */
export function plainText(file, { start, end }) {
  const { source, comments } = moduleAt(file)
  let text = source.slice(start, end)
  for (const one of comments.toReversed())
    if (one.start >= start && one.end <= end)
      text = text.slice(0, one.start - start) + text.slice(one.end - start)
  return text.replaceAll(/\s+/g, ' ').replace(/;$/, '')
}

function headOf(text) {
  const [, bases = ''] = /^[^{]*?\b(extends [^{]*)\{/.exec(text) ?? []
  return bases
}

function memberNames(members) {
  const names = members.map(({ key, type, optional }) => {
    const name = key?.name ?? key?.value ?? '[key]'
    return `${name}${optional ? '?' : ''}${/Method/.test(type) ? '()' : ''}`
  })
  return [...new Set(names)].filter((name) => name !== 'constructor()')
}

function shortened(text) {
  const plain = text.replaceAll(/\breadonly (?=[a-z"'[(])|\bimport\("[^"]*"\)\./gi, '')
  return plain.length <= SIGNATURE_CHARACTERS ? plain : `${plain.slice(0, SIGNATURE_CHARACTERS)}…`
}
