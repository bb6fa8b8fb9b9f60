import * as v from 'valibot'
import type { Contract, MethodRow } from '../core/boundary/checked.ts'
import { isThenable } from '../core/timeouts.ts'
import { nearest } from '../rules/nearest.ts'
import { describeGiven, isAsync, isClass } from './describe.ts'

/** The methods of a part that the host implements. */
interface Methods {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** The methods that must return their result at once. */
  readonly synchronous?: readonly string[]
  /** Returns the remedy for a value that is often given by mistake; `null` for any other. */
  readonly remedy?: (value: unknown) => string | null
}

/** Describes an object, or a class with static methods, that has these methods. */
export const having = <Part extends object = object>(methods: Methods) =>
  v.custom<Part>(
    (value) => faultOf(value, methods) === null,
    ({ input }) => faultOf(input, methods) ?? '',
  )

/** Describes an object that implements a contract. */
export const implementing = <Part extends object>(
  { rows }: Contract<Part>,
  remedy: NonNullable<Methods['remedy']> = () => null,
) => {
  const all = Object.entries<MethodRow<unknown>>(rows)
  const named = (has: (row: MethodRow<unknown>) => boolean): readonly string[] =>
    all.filter(([, row]) => has(row)).map(([name]) => name)
  return having<Part>({
    required: named(({ isOptional }) => isOptional !== true),
    optional: named(({ isOptional }) => isOptional === true),
    synchronous: named(({ due }) => due === 'at once'),
    remedy,
  })
}

/** Returns why a value is not the part, and the remedy; `null` if it is. */
function faultOf(value: unknown, methods: Methods): string | null {
  const { required, optional = [], remedy = () => null } = methods
  const all =
    required.length > 0
      ? `the methods ${required.join(', ')}`
      : `no methods but ${optional.join(', ')}`
  if (value === null) return `is null; leave it out, or give an object with ${all}`
  const wrong = isPart(value) ? wrongMethod(value, methods) : describeGiven(value)
  if (wrong === null) return null
  const advice = remedy(value)
  if (advice !== null) return `${describeGiven(value)}; ${advice}`
  if (isThenable(value)) return `is a promise; await it: it must have ${all}`
  if (isClass(value)) return `is a class; give an instance, like new ${value.name}(), with ${all}`
  if (typeof value === 'function') return `is a function; call it: it must have ${all}`
  return `${wrong}; it must have ${all}`
}

type HostPart = Readonly<Record<string, unknown>>

/** Returns `true` for a value that can have methods. */
export function isPart(value: unknown): value is HostPart {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
}

function wrongMethod(part: HostPart, methods: Methods): string | null {
  const { required, optional = [], synchronous = [] } = methods
  for (const name of required) {
    if (typeof part[name] !== 'function') return `${name} ${describeGiven(part[name])}`
  }
  for (const name of optional) {
    if (part[name] !== undefined && typeof part[name] !== 'function')
      return `${name} ${describeGiven(part[name])}, not a method`
  }
  for (const name of synchronous) {
    if (isAsync(part[name])) return `${name} is async, and must return its result at once`
  }
  return misspelling(part, required, optional)
}

/**
 * Finds a method that nothing calls because an optional one is misspelt. A misspelt
 * `canAccessPanel` would admit every user.
 */
function misspelling(
  part: HostPart,
  required: readonly string[],
  optional: readonly string[],
): string | null {
  const known = new Set([...required, ...optional])
  for (const name of methodNames(part)) {
    const meant = known.has(name) ? null : nearest(name, optional)
    if (meant !== null && part[meant] === undefined)
      return `${name} is called by nothing; rename it if it stands for ${meant}`
  }
  return null
}

function methodNames(part: HostPart): readonly string[] {
  const names: string[] = []
  for (
    let level: object | null = part;
    level !== null && level !== Object.prototype && level !== Function.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level)))
      if (typeof value === 'function') names.push(name)
  }
  return names
}

/** Returns the remedy for values that are often given as the mailer. */
export function mailerRemedy(value: unknown): string | null {
  if (isPart(value) && 'sendMail' in value)
    return 'a transport of nodemailer: give { send: (message) => transport.sendMail({ from, ...message }) }'
  return typeof value === 'object' ? null : 'give an object, like { send: async (message) => {} }'
}

/** Returns a remedy for functions, which are often given in place of an object. */
export const ifFunction = (remedy: string) => (value: unknown) =>
  typeof value === 'function' ? remedy : null
