import * as v from 'valibot'
import { messageOfMissing } from '../rules/validation.ts'

/** Describes a value of the wrong type without the value, which may be a key. */
export function describeFault({ type, input }: Fault): string {
  return `Invalid input: expected ${type}, received ${typeName(input)}`
}

type Fault = Pick<v.BaseIssue<unknown>, 'type' | 'input'>

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isNaN(value) ? 'NaN' : typeof value
}

/** Describes an object. Valibot accepts arrays, too. */
const object = <Input>() =>
  v.custom<Input>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ({ input }) => describeFault({ type: 'object', input }),
  )

/** Describes an object with these keys and no others. */
export const group = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const describeMissing = messageOfMissing(entries, describeFault)
  const schema = v.strictObject(entries, (issue) =>
    issue.expected === 'never' ? describeUnknown(entries, issue) : describeMissing(issue),
  )
  return v.pipe(object<v.InferInput<typeof schema>>(), schema)
}

/** Describes an object with these keys and any others. */
export const loose = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const schema = v.looseObject(entries, messageOfMissing(entries, describeFault))
  return v.pipe(object<v.InferInput<typeof schema>>(), schema)
}

/** Names all unknown keys; Valibot stops at the first. */
function describeUnknown(entries: v.ObjectEntries, { path }: v.StrictObjectIssue): string {
  const { input, key } = path?.at(-1) ?? {}
  const others = Object.keys(Object(input)).filter(
    (name) => name !== key && !Object.hasOwn(entries, name),
  )
  const advice = 'no such option; check its spelling or leave it out'
  return others.length === 0 ? advice : `${advice}; the same applies to ${others.join(', ')}`
}

/** Describes a plain object with any keys. A `Map` would look empty. */
export const dictionary = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.custom<Record<string, v.InferInput<Value>>>(isPlainObject, ({ input }) =>
      describeFault({ type: 'record', input }),
    ),
    v.record(v.string(), value),
  )

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Describes a function. */
export const callable = <Callable>() =>
  v.custom<Callable>((value) => typeof value === 'function', 'must be a function')

/** Describes an object, or a class with static methods, that has these methods. */
export const having = (...methods: readonly string[]) =>
  v.custom<object>(
    (value) =>
      (typeof value === 'object' || typeof value === 'function') &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
    `must have the methods ${methods.join(', ')}`,
  )
