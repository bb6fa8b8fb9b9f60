import { declarationOf } from '../../scripts/docs/exports.mjs'

/** Types that only change the modifiers of their first argument. */
const WRAPPERS = new Set(['Readonly', 'Partial', 'Required', 'NonNullable'])

/**
 * Returns the paths of the members that an exported interface, class or type of an object has, such as
 * `session.idle`, without those of the types that it names. A caller of a member that is gone does not compile,
 * though the compiler finds a type without an optional member compatible.
 *
 * @param {string} file A file of declarations.
 * @param {string} name
 * @returns {readonly string[]}
 */
export function memberPathsOf(file, name) {
  const { body, typeAnnotation } = declarationOf(file, name)
  return [...new Set(Array.isArray(body?.body) ? pathsOf(body.body) : pathsIn(typeAnnotation))]
}

function pathsIn(type) {
  if (type?.type === 'TSTypeLiteral') return pathsOf(type.members)
  if (type?.type === 'TSTypeReference' && WRAPPERS.has(type.typeName.name))
    return pathsIn(type.typeArguments?.params[0])
  if (type?.type === 'TSIntersectionType') return type.types.flatMap(pathsIn)
  return []
}

function pathsOf(members) {
  return members.flatMap(({ key, typeAnnotation, accessibility }) => {
    const name = key?.name ?? key?.value
    if (name === undefined || accessibility === 'private') return []
    const below = pathsIn(typeAnnotation?.typeAnnotation)
    return [name, ...below.map((path) => `${name}.${path}`)]
  })
}
