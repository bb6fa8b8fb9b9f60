import * as v from 'valibot'
import { adviceFor } from '../rules/nearest.ts'
import { ConfigError } from './errors.ts'
import { ensureObject } from './guard-options.ts'

/** Describes an object with these options and no others: a misspelt one would be ignored. */
export const optionsOf = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const names = Object.keys(entries)
  // So that the schema of an option that is missing says so.
  const named = names.filter((name) => entries[name]?.type !== 'exact_optional')
  const missing = Object.fromEntries(named.map((name) => [name, undefined]))
  return v.pipe(
    v.unknown(),
    v.transform((given): object => ({ ...missing, ...Object(given) })),
    v.strictObject(
      entries,
      ({ path }) => `no such option; ${adviceFor(String(path?.at(-1)?.key), names)}`,
    ),
  )
}

/** Describes a function that may be left out. */
export const optionalFunction = v.optional(
  v.custom<() => unknown>((value) => typeof value === 'function', 'give a function'),
)

/** Describes a switch that may be left out. */
export const optionalFlag = v.optional(v.boolean('give true or false'))

/** Describes a number that may be left out. */
export const optionalNumber = v.optional(v.number('give a number'))

/** Describes a text that may be left out. */
export const optionalText = v.optional(v.string('give a text'))

/**
 * Checks the options of a call of the host.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} The message names the option and the remedy.
 */
export function ensureOptions(call: string, given: unknown, schema: v.GenericSchema): void {
  ensureObject(call, given)
  const { issues = [] } = v.safeParse(schema, given, { abortEarly: false, abortPipeEarly: true })
  // A misspelt option is the cause of the missing one.
  const fault = issues.find(({ expected }) => expected === 'never') ?? issues[0]
  if (fault === undefined) return
  const path = (fault.path ?? []).map(({ key }) => String(key)).join('.')
  throw new ConfigError(`${call}: ${path}: ${fault.message}`)
}
