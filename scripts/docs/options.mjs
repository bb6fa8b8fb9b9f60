// The tables of docs/options.md: types and meanings from the declarations of src/contracts/options.ts, defaults
// and bounds from the schema that checks the options.
import { getDefault } from 'valibot'
import { configSchema } from '../../build/src/config/options-schema.js'
import { code, table } from './generated.mjs'
import { membersOf } from './members.mjs'

export const path = 'docs/options.md'

const DECLARATIONS = 'build/src/contracts/options.d.ts'
/** The options that are declared beside the settings which follow from them, by their type. */
const ELSEWHERE = { SpaOptions: 'build/src/rules/panel-settings.d.ts' }

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const options = membersOf(DECLARATIONS, 'PanelAuthOptions').map((member) => [
    code(member.path),
    code(member.type),
    member.isOptional ? member.default : 'required',
    member.text,
  ])
  const config = configOptions().map((option) => [
    code(option.path),
    code(option.type),
    option.isOptional ? option.default : 'required',
    option.bounds,
    option.text,
  ])
  return {
    options: table(['option', 'type', 'default', 'meaning'], options),
    config: table(['option', 'type', 'default', 'bounds', 'meaning'], config),
  }
}

/**
 * Returns the options of `config`, as the declarations have them.
 *
 * @returns {readonly {
 *   path: string, type: string, isOptional: boolean, text: string, default: string | null,
 *   fixed: string | null, bounds: string
 * }[]} `default` is what the docstring says, `fixed` the default of the schema unless it is computed
 */
export function configOptions() {
  return membersOf(DECLARATIONS, 'PanelConfig')
    .flatMap(withOptionsBelow)
    .map((member) => {
      const schema = schemaAt(member.path)
      return { ...member, fixed: fixedDefault(schema), bounds: boundsOf(schema).join(', ') }
    })
}

function withOptionsBelow(member) {
  const file = ELSEWHERE[member.type]
  if (file === undefined) return [member]
  return membersOf(file, member.type).map((one) => ({ ...one, path: `${member.path}.${one.path}` }))
}

/** Returns the paths of all options in the schema; a limit's name is `{name}`. */
export function pathsOfSchema(schema = configSchema, above = []) {
  const entries = entriesOf(schema)
  if (entries === null) return [above.join('.')]
  if (above.join('.') === 'limits')
    return pathsOfSchema(Object.values(entries)[0], [...above, '{name}'])
  return Object.entries(entries).flatMap(([name, below]) => pathsOfSchema(below, [...above, name]))
}

function schemaAt(path) {
  return path.split('.').reduce((schema, name) => {
    const entries = entriesOf(schema)
    const found = name === '{name}' ? Object.values(entries)[0] : entries?.[name]
    if (found === undefined) throw new Error(`the schema has no option ${path}`)
    return found
  }, configSchema)
}

/** Returns the entries of an object; `null` if the schema describes no object. */
function entriesOf(schema) {
  return itemsOf(schema).find(({ entries }) => entries !== undefined)?.entries ?? null
}

/** Returns a schema without `optional`, and its actions. */
function itemsOf(schema) {
  if (schema.type === 'optional') return itemsOf(schema.wrapped)
  return schema.pipe === undefined ? [schema] : schema.pipe.flatMap(itemsOfPart)
}

const itemsOfPart = (part) => (part.kind === 'schema' && part.pipe ? itemsOf(part) : [part])

function fixedDefault(schema) {
  if (schema.type !== 'optional' || typeof schema.default === 'function') return null
  const value = getDefault(schema)
  if (value === undefined) return null
  return Object.keys(Object(value)).length === 0 && typeof value === 'object'
    ? 'none'
    : JSON.stringify(value)
}

function boundsOf(schema) {
  const items = itemsOf(schema)
  const isList = items.some(({ type }) => type === 'array')
  const bounds = items.flatMap(({ type, requirement, item }) => {
    if (type === 'array') return boundsOf(item).map((bound) => `each ${bound}`)
    if (type === 'min_length' && requirement === 1) return ['not empty']
    if (type === 'min_length')
      return [`at least ${requirement} ${isList ? 'entries' : 'characters'}`]
    const describe = BOUNDS[type]
    return describe === undefined ? [] : [describe(requirement)]
  })
  return bounds
}

const BOUNDS = {
  safe_integer: () => 'whole number',
  gt_value: (least) => `more than ${least}`,
  min_value: (least) => `at least ${least}`,
  max_value: (most) => `at most ${most}`,
}
