// Copies declarations in a form that the compiler can compare.
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleAt } from '../../scripts/docs/exports.mjs'

/**
 * Copies the declarations of a built package. Arguments whose types follow from the name of a route become `any`:
 * the compiler cannot compare two such types before the name is known, and every new route would count as
 * incompatible. Routes are compared by their own table.
 *
 * @param {string} from The folder of the package.
 * @param {string} to
 */
export function copyDeclarations(from, to) {
  cpSync(join(from, 'package.json'), join(to, 'package.json'))
  const isDeclaration = (path) => statSync(path).isDirectory() || path.endsWith('.d.ts')
  cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: isDeclaration })
  for (const name of readdirSync(join(to, 'dist'), { recursive: true }))
    if (name.endsWith('.d.ts')) writeComparable(join(to, 'dist', name))
}

function writeComparable(file) {
  const { source, program } = moduleAt(file)
  const types = genericRestTypes(program).toSorted((one, other) => other.start - one.start)
  const replaced = (text, { start, end }) => `${text.slice(0, start)}any[]${text.slice(end)}`
  if (types.length > 0) writeFileSync(file, types.reduce(replaced, source))
}

/** Returns the types such as `Arguments<Name>` of rest parameters below a node. */
function genericRestTypes(node) {
  if (typeof node !== 'object' || node === null) return []
  const type = node.type === 'RestElement' ? node.typeAnnotation?.typeAnnotation : undefined
  if (type?.typeArguments !== undefined && type.typeArguments !== null) return [type]
  return Object.values(node).flatMap(genericRestTypes)
}
