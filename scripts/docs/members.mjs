// Reads the properties of a built interface, with their docstrings.
import { docBefore, moduleAt, plainText } from './exports.mjs'

/**
 * Returns the properties of an interface by their paths. An object in it is replaced by its own
 * properties, and the keys of a mapped type by `{name}`.
 *
 * @param {string} file
 * @param {string} name
 * @returns {readonly {
 *   path: string, type: string, isOptional: boolean, text: string, default: string | null
 * }[]} `default` is what the docstring says.
 * @throws {Error} A property has no docstring.
 */
export function membersOf(file, name) {
  const found = moduleAt(file)
    .program.body.map((node) => node.declaration ?? node)
    .find(({ type, id }) => type === 'TSInterfaceDeclaration' && id.name === name)
  if (found === undefined) throw new Error(`${file} declares no interface ${name}`)
  return found.body.body.flatMap((member) => propertiesOf(file, member, []))
}

function propertiesOf(file, member, above) {
  const path = [...above, member.key.name ?? member.key.value]
  const type = member.typeAnnotation.typeAnnotation
  const doc = docBefore(file, member)
  if (doc === '') throw new Error(`${path.join('.')} has no docstring: editors show nothing for it`)
  if (type.type === 'TSTypeLiteral') return below(file, type, path)
  if (type.type === 'TSMappedType') return below(file, type.typeAnnotation, [...path, '{name}'])
  const { text, default: value } = documentation(doc)
  return [
    {
      path: path.join('.'),
      type: withoutReadonly(plainText(file, type)),
      isOptional: member.optional,
      text,
      default: value,
    },
  ]
}

function withoutReadonly(type) {
  const shorter = type
    .replaceAll(/\breadonly /g, '')
    .replace(/\bReadonly<(Record<(?:[^<>]|<[^<>]*>)*>)>/, '$1')
  return shorter === type ? type : withoutReadonly(shorter)
}

function below(file, { members }, path) {
  return members.flatMap((member) => propertiesOf(file, member, path))
}

/** Returns the text of a docstring on one line, without references. */
export function textOf(doc) {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trim())
  const [text = ''] = lines
    .join(' ')
    .trim()
    .split(/ *@see\b/)
  return text.trim()
}

/** Splits a docstring into what it describes and the default that it names last. */
function documentation(doc) {
  const [text, value = null] = textOf(doc).split(/ *\bDefault: /)
  return { text, default: value?.replace(/\.$/, '') ?? null }
}
