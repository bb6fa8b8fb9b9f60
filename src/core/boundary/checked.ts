import type { Awaitable } from '../../contracts/host.ts'
import type { Meter } from '../meter.ts'
import { DeadlineError, mapAwaitable, withTimeout } from '../timeouts.ts'

/*
 * The one place where the service calls code of the host. A contract has one row for each of its
 * methods: the time that the answer may take, and the type that it must have.
 */

/**
 * The time that an answer may take: none, the deadline, or any, where only the host waits for it.
 */
type Due = 'at once' | 'in time' | 'at leisure'

/**
 * Creates the error about a part of an answer that has the wrong type.
 *
 * @param promised The type that the contract names.
 * @param remedy Tells the host what to do instead.
 */
export type Wrong = (promised: string, got: unknown, remedy?: string) => Error

/**
 * Reads an answer of the host: returns it in the form that the service uses.
 *
 * @throws {Error} made by `wrong`, when the answer has another type.
 */
export type ReadAnswer<Answer> = (answer: unknown, wrong: Wrong) => Answer

/** One method of a contract. */
export interface MethodRow<Answer> {
  readonly due: Due
  readonly read: ReadAnswer<Answer>
  /** Receives an answer that comes after the deadline. Default: it is dropped. */
  readonly onLate?: (answer: unknown) => void
  /** True when a host may leave the method out. Default: false. */
  readonly isOptional?: boolean
}

interface OptionalRow<Answer> extends MethodRow<Answer> {
  readonly isOptional: true
}

interface RequiredRow<Answer> extends MethodRow<Answer> {
  readonly isOptional?: never
}

type AnyMethod = (...args: never[]) => unknown

/** The methods of a part of the host; properties that are not methods are left out. */
type MethodsOf<Part> = {
  readonly [
    Name in keyof Part as NonNullable<Part[Name]> extends AnyMethod ? Name : never
  ]: Part[Name]
}

type AnswerOf<Method> =
  NonNullable<Method> extends (...args: never[]) => infer Answer ? Answer : never

/** A row for each method. A type error names a method that is missing. */
export type MethodRows<Part> = {
  readonly [Name in keyof MethodsOf<Part>]-?: undefined extends Part[Name]
    ? OptionalRow<Awaited<AnswerOf<Part[Name]>>>
    : RequiredRow<Awaited<AnswerOf<Part[Name]>>>
}

/** A contract that a host implements, as the service calls it. */
export interface Contract<Part> {
  /** The name of the interface, for errors about answers. */
  readonly name: string
  /** Names a call in the error about an answer that is late, for the log. */
  readonly nameCall: (method: string) => string
  /** Creates the error about an answer of the wrong type. Default: a `ContractError`. */
  readonly fault?: (message: string) => Error
  readonly rows: MethodRows<Part>
}

/**
 * Creates a contract.
 *
 * @param call Names a call, as in `nameCall`; a text is the name of every call.
 */
export function contractOf<Part>(
  name: string,
  call: string | Contract<Part>['nameCall'],
  rows: MethodRows<Part>,
): Contract<Part> {
  return { name, nameCall: typeof call === 'string' ? () => call : call, rows }
}

/** A method of the host returned a value of the wrong type. Answered as an outage. */
export class ContractError extends TypeError {
  override readonly name = 'ContractError'
}

const contractError = (message: string): Error => new ContractError(message)

declare const CHECKED: unique symbol

type CheckedMethod<Method> = Method extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<never> extends Answer ? Awaitable<Awaited<Answer>> : Answer
  : Method

/**
 * A part of the host whose answers are awaited with a deadline and have been checked. Only
 * `checked` makes one, so no part of the host reaches the core without.
 */
export type Checked<Part> = {
  readonly [Name in keyof MethodsOf<Part>]: CheckedMethod<Part[Name]>
} & { readonly [CHECKED]: Part }

/**
 * Wraps a part of the host. Optional methods that it does not have stay missing.
 *
 * @param meter Measures its calls. Default: nobody does.
 */
export function checked<Part extends object>(
  part: Part,
  contract: Contract<Part>,
  meter: Meter | null = null,
): Checked<Part> {
  const methods = Object.keys(contract.rows)
    .filter((name) => Reflect.get(part, name) !== undefined)
    .map((name) => {
      const call = checkedCall(part, contract, name)
      const isMeasured = meter !== null && rowOf(contract, name).due !== 'at once'
      return [name, isMeasured ? measured(meter, contract.name, call) : call]
    })
  // The rows have the names and the types of the methods, by the type of a contract.
  return Object.fromEntries(methods) as Checked<Part>
}

function rowOf<Part>({ rows }: Contract<Part>, name: string): MethodRow<unknown> {
  // `name` is a key of the rows.
  return (rows as Readonly<Record<string, MethodRow<unknown>>>)[name] as MethodRow<unknown>
}

type Method = (...args: readonly unknown[]) => unknown

/** Measures the calls of a method, which may take time. */
function measured(meter: Meter, part: string, call: Method): Method {
  // One object for each outcome, as the meter asks for.
  const ok = { part, outcome: 'ok' } as const
  const late = { part, outcome: 'late' } as const
  const failed = { part, outcome: 'failed' } as const
  const duration = {
    metric: 'svc.auth.call.duration',
    labels: { part },
    labelsOf: () => ok,
    labelsOfError: (error: unknown) => (error instanceof DeadlineError ? late : failed),
  } as const
  return (...args) => meter.timed(duration, () => call(...args))
}

function checkedCall<Part extends object>(
  part: Part,
  contract: Contract<Part>,
  name: string,
): Method {
  const { name: contractName, nameCall, fault = contractError } = contract
  const { due, read, onLate } = rowOf(contract, name)
  const named = nameCall(name)
  const wrong: Wrong = (promised, got, remedy) =>
    fault(
      `${contractName}.${name} must return ${promised}; got ${kindOf(got)}` +
        (remedy === undefined ? '' : `: ${remedy}`),
    )
  const checkedAnswer = (answer: unknown): unknown => read(answer, wrong)
  return (...args) => {
    // Read at each call, as the host may replace a method of its object.
    const answer: unknown = Reflect.apply(Reflect.get(part, name) as AnyMethod, part, args)
    switch (due) {
      case 'at once':
        ignoreRejection(answer)
        return checkedAnswer(answer)
      case 'in time':
        return mapAwaitable(withTimeout(named, answer, onLate), checkedAnswer)
      case 'at leisure':
        return mapAwaitable(answer, checkedAnswer)
    }
  }
}

/** Keeps a promise that is refused, because a value is due, from ending the process. */
function ignoreRejection(answer: unknown): void {
  if (answer instanceof Promise) answer.catch(() => undefined)
}

/** Names the type of an answer, never its value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && 'then' in value) return 'a promise'
  return typeof value
}

function rowsDue(due: Due) {
  return <Answer>(read: ReadAnswer<Answer>): RequiredRow<Answer> => ({ due, read })
}

/** Creates the row of a method that must return its answer without a promise. */
export const atOnce = rowsDue('at once')

/** Creates the row of a method that must answer within `times.deadlineSeconds`. */
export const inTime = rowsDue('in time')

/** Creates the row of a method that may take any time, because no request waits for it. */
export const atLeisure = rowsDue('at leisure')

/** Marks a row as that of a method that a host may leave out. */
export const optional = <Answer>({ due, read }: MethodRow<Answer>): OptionalRow<Answer> => ({
  due,
  read,
  isOptional: true,
})
