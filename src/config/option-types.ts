import * as v from 'valibot'
import { isObject } from '../core/boundary/answers.ts'
import { isThenable } from '../core/timeouts.ts'
import { messageOfMissing } from '../rules/validation.ts'
import { describeGiven } from './describe.ts'

type Fault = Pick<v.BaseIssue<unknown>, 'input'>

/** Describes a value of the wrong type, for the types that have no message of their own. */
export function describeFault({ input }: Fault): string {
  return `${describeGiven(input)}; it must be a text`
}

/** Describes an object that is not an array; Valibot accepts arrays, too. */
const object = <Input>(like: string) =>
  v.custom<Input>(
    (value) => isObject(value) && !isThenable(value),
    ({ input }) =>
      isThenable(input)
        ? `is a promise; await it: it must be an object, like ${like}`
        : `${describeGiven(input)}; it must be an object, like ${like}`,
  )

/**
 * Describes an object with these keys and no others.
 *
 * @param like An example, for messages.
 */
export const group = <const Entries extends v.ObjectEntries>(like: string, entries: Entries) => {
  const schema = v.strictObject(entries, messageOfMissing(entries, describeFault))
  return v.pipe(object<v.InferInput<typeof schema>>(like), schema)
}

/** Describes a plain object with any keys. A `Map` would look empty. */
export const dictionary = <Value extends v.GenericSchema>(like: string, value: Value) =>
  v.pipe(
    v.custom<Record<string, v.InferInput<Value>>>(
      isPlainObject,
      ({ input }) => `${describeGiven(input)}; it must be a plain object, like ${like}`,
    ),
    v.record(v.string(), value),
  )

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Describes a list.
 *
 * @param like An example, for messages.
 */
export const list = <Item extends v.GenericSchema>(like: string, item: Item) =>
  v.array(item, ({ input }) => {
    const advice = `${describeGiven(input)}; it must be a list, like ${like}`
    if (typeof input !== 'string') return advice
    return `${advice}: split a variable of the environment with .split(',')`
  })

/** Describes a switch. */
export const flag = () =>
  v.boolean(({ input }) => {
    const advice = `${describeGiven(input)}; it must be true or false`
    if (typeof input !== 'string') return advice
    return `${advice}: compare a variable of the environment, as in process.env.NAME === 'true'`
  })

interface NumberOptions<Max> {
  /** The unit or meaning, for messages. */
  readonly of: string
  readonly max: Max
}

/** Describes a number that is more than 0. */
export const positive = <const Max extends number>({ of, max }: NumberOptions<Max>) => {
  const describe = describeNumber(`a number of ${of}`, max)
  return v.pipe(v.number(describe), v.gtValue(0, describe), v.maxValue(max, describe))
}

/** Describes a whole number that is more than 0. */
export const whole = <const Max extends number>({ of, max }: NumberOptions<Max>) => {
  const describe = describeNumber(`a whole number of ${of}`, max)
  return v.pipe(
    v.number(describe),
    v.safeInteger(describe),
    v.gtValue(0, describe),
    v.maxValue(max, describe),
  )
}

function describeNumber(expected: string, max: number) {
  return ({ input }: Fault): string => {
    const isShort = typeof input === 'string' && /^[\w .]{1,12}$/.test(input)
    const given = isShort ? `is the text ${JSON.stringify(input)}` : describeGiven(input)
    const advice = `${given}; it must be ${expected}, more than 0 and at most ${max}`
    if (input === null) return `${advice}, or leave it out`
    if (typeof input !== 'string') return advice
    return `${advice}: convert a variable of the environment with Number(…)`
  }
}

/** Describes a function. */
export const callable = <Callable>() =>
  v.custom<Callable>(
    (value) => typeof value === 'function',
    ({ input }) => `${describeGiven(input)}; it must be a function`,
  )
