import type * as v from 'valibot'
import { nearest, plain } from '../rules/nearest.ts'
import { optionPath } from './describe.ts'

/** The keys from the options of `createPanelAuth` to an option. */
type Keys = readonly string[]

/**
 * Describes the unknown keys of an object, each with the option that it probably stands for.
 *
 * @param above The keys of the object.
 * @param known The keys of every option.
 * @returns one line per key. Valibot stops at the first.
 */
export function describeUnknown(
  value: unknown,
  above: Keys,
  known: readonly Keys[],
): readonly string[] {
  const siblings = known.filter((one) => isParent(above, one)).map((one) => one.at(-1) ?? '')
  return Object.keys(Object(value))
    .filter((key) => !siblings.includes(key))
    .map((key) => {
      const meant = sameName(above, key, known) ?? similarName(above, key, siblings)
      const advice =
        meant === null
          ? `leave it out, or choose one of ${siblings.join(', ')}`
          : adviceOf(above, meant)
      return `${pathOf([...above, key])}: no such option; ${advice}`
    })
}

function isParent(above: Keys, keys: Keys): boolean {
  return keys.length === above.length + 1 && above.every((key, index) => keys[index] === key)
}

/** Finds an option of the same name, in this place or else in the one nearest to the top. */
function sameName(above: Keys, key: string, known: readonly Keys[]): Keys | null {
  const same = known
    .filter((one) => plain(one.at(-1) ?? '') === plain(key))
    .toSorted((a, b) => a.length - b.length)
  return same.find((one) => isParent(above, one)) ?? same[0] ?? null
}

function similarName(above: Keys, key: string, siblings: readonly string[]): Keys | null {
  const sibling = nearest(key, siblings)
  return sibling === null ? null : [...above, sibling]
}

function adviceOf(above: Keys, meant: Keys): string {
  if (above.length === 0 && meant[0] === 'config') return `give it as \`${optionPath(meant)}\``
  if (above.length > 0 && meant[0] !== 'config')
    return `give \`${optionPath(meant)}\` beside \`config\``
  return `did you mean \`${pathOf(meant)}\`?`
}

/** Returns the path of an option as the messages name it, without `config`. */
export function pathOf(keys: readonly unknown[]): string {
  return optionPath(keys[0] === 'config' && keys.length > 1 ? keys.slice(1) : keys)
}

/** Returns the keys of every option of a schema. */
export function keysOf(schema: v.GenericSchema, above: Keys = []): readonly Keys[] {
  const keys: Keys[] = []
  for (const [name, below] of Object.entries(entriesOf(schema))) {
    const here = [...above, name]
    keys.push(here, ...keysOf(below, here))
  }
  return keys
}

/** Returns the entries of an object, below a wrapper and in a pipe; none for any other schema. */
function entriesOf(schema: object): Readonly<Record<string, v.GenericSchema>> {
  if ('entries' in schema) return schema.entries as Readonly<Record<string, v.GenericSchema>>
  if ('wrapped' in schema) return entriesOf(Object(schema.wrapped))
  // The schema of an option that also takes another type than an object.
  if ('getter' in schema && typeof schema.getter === 'function')
    return entriesOf(Object(schema.getter({})))
  if (!('pipe' in schema) || !Array.isArray(schema.pipe)) return {}
  // The first part of a pipe may be a pipe, too.
  const parts = schema.pipe.map((part: unknown) => Object(part) as object)
  return Object.assign({}, ...parts.map(entriesOf))
}
