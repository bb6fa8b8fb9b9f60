import { setImmediate } from 'node:timers/promises'
import type {
  AccountPasswords,
  Impersonation,
  ActivityStore,
  AttemptStore,
  Bus,
  Clock,
  Logger,
  Mailer,
  MetadataStore,
  MustVerifyEmail,
  Notification,
  NotificationStore,
  PendingLoginStore,
  SessionStore,
  Stores,
  TwoFactorAuthenticator,
  TwoFactorDevices,
  UserProvider,
} from '@svc/auth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attemptStore, bus } from '../../build/src/core/boundary/checked-stores.js'
import { checked, type Contract, type MethodRow } from '../../build/src/core/boundary/checked.js'
import { atDeadline } from '../support/time.ts'

/** The contracts of every module of the boundary, by their names. */
const contracts = await everyContract()

async function everyContract(): Promise<ReadonlyMap<string, Contract<object>>> {
  const found = new Map<string, Contract<object>>()
  const modules = import.meta.glob<Readonly<Record<string, unknown>>>(
    '../../build/src/core/boundary/*.js',
  )
  for (const load of Object.values(modules))
    for (const value of Object.values(await load()))
      if (isContract(value)) found.set(value.name, value)
  return found
}

function isContract(value: unknown): value is Contract<object> {
  return typeof value === 'object' && value !== null && 'rows' in value
}

/** The values that a host can return by mistake. */
const ANSWERS: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  Number.NaN,
  '',
  'true',
  {},
  [],
  [undefined],
  new Boolean(true),
  new Boolean(false),
  10n,
  Symbol('true'),
  () => true,
]

/** The types that the contracts promise, and which of the answers have them. */
const TYPES = {
  'true or false': (answer) => typeof answer === 'boolean',
  permission: () => true,
  nothing: () => true,
  'date, or an invalid one': () => true,
  'whole number': (answer) => answer === 0 || answer === 1,
  'whole number or null': (answer) => answer === null || answer === 0 || answer === 1,
  time: (answer) => answer === 0 || answer === 1 || answer === -1,
  'text or null': (answer) => answer === null || typeof answer === 'string',
  'hash, or none': (answer) => answer == null || typeof answer === 'string',
  'short text': (answer) => answer === 'true',
  list: (answer) => Array.isArray(answer) && answer.length === 0,
  'codes of one or more': () => false,
  'record or null': (answer) => answer === null,
  record: () => false,
  function: (answer) => typeof answer === 'function',
  'user, or nobody': (answer) =>
    answer == null || answer === false || answer === 0 || answer === '' || isObject(answer),
  object: isObject,
  'object in JSON': (answer) => isObject(answer) && typeof answer.valueOf() !== 'boolean',
} as const satisfies Record<string, (answer: unknown) => boolean>

function isObject(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
}

type Promised = keyof typeof TYPES

type MethodsOf<Part> = {
  [
    Name in keyof Part as NonNullable<Part[Name]> extends (...args: never[]) => unknown
      ? Name
      : never
  ]-?: Promised
}

/** A method without a type here is a type error. */
const PROMISED: {
  readonly AccountPasswords: MethodsOf<AccountPasswords<unknown>>
  readonly ActivityStore: MethodsOf<ActivityStore>
  readonly AttemptStore: MethodsOf<AttemptStore>
  readonly Bus: MethodsOf<Bus>
  readonly Clock: MethodsOf<Clock>
  readonly Impersonation: MethodsOf<Impersonation<unknown>>
  readonly Logger: MethodsOf<Logger>
  readonly Mailer: MethodsOf<Mailer>
  readonly MetadataStore: MethodsOf<MetadataStore>
  readonly MustVerifyEmail: MethodsOf<MustVerifyEmail>
  readonly Notification: MethodsOf<Notification<unknown>>
  readonly NotificationStore: MethodsOf<NotificationStore>
  readonly PendingLoginStore: MethodsOf<PendingLoginStore>
  readonly SessionStore: MethodsOf<SessionStore>
  readonly Stores: MethodsOf<Stores>
  readonly TwoFactorAuthenticator: MethodsOf<TwoFactorAuthenticator<unknown>>
  readonly TwoFactorDevices: MethodsOf<TwoFactorDevices<unknown>>
  readonly UserProvider: MethodsOf<UserProvider<unknown>>
} = {
  ActivityStore: {
    add: 'nothing',
    latest: 'list',
    deleteOlder: 'whole number',
    deleteOf: 'whole number',
  },
  AttemptStore: {
    reserve: 'record',
    release: 'nothing',
    count: 'whole number',
    clear: 'nothing',
    deleteExpired: 'whole number',
  },
  Bus: { publish: 'nothing', subscribe: 'function' },
  Clock: { now: 'time' },
  Logger: { warn: 'nothing', error: 'nothing' },
  Mailer: { send: 'nothing' },
  MetadataStore: { read: 'text or null', compareAndSet: 'true or false' },
  MustVerifyEmail: { hasVerifiedEmail: 'permission', markEmailAsVerified: 'nothing' },
  Notification: { via: 'list', toDatabase: 'object' },
  NotificationStore: {
    add: 'whole number',
    latest: 'list',
    unreadCount: 'whole number',
    markRead: 'whole number or null',
    markAllRead: 'nothing',
    deleteOlder: 'whole number',
    deleteOf: 'whole number',
  },
  PendingLoginStore: {
    create: 'true or false',
    read: 'record or null',
    consume: 'true or false',
    destroy: 'nothing',
    destroyOf: 'whole number',
    deleteExpired: 'whole number',
  },
  SessionStore: {
    create: 'true or false',
    read: 'record or null',
    list: 'list',
    touch: 'true or false',
    update: 'true or false',
    restamp: 'nothing',
    destroy: 'true or false',
    destroyOthers: 'whole number',
    deleteExpired: 'list',
  },
  AccountPasswords: { set: 'nothing', allows: 'permission' },
  Impersonation: { allows: 'permission' },
  Stores: { now: 'time', check: 'nothing', sizes: 'list', close: 'nothing' },
  TwoFactorAuthenticator: {
    isEnabledFor: 'true or false',
    isRequiredFor: 'true or false',
    verify: 'permission',
    newSecret: 'short text',
    qrCode: 'short text',
    verifySetup: 'permission',
    enable: 'codes of one or more',
    disable: 'nothing',
    erase: 'nothing',
    recoveryCodesLeft: 'whole number',
    checkReadable: 'nothing',
    requiredFrom: 'date, or an invalid one',
    migrate: 'record or null',
    ready: 'nothing',
  },
  TwoFactorDevices: { list: 'list', add: 'true or false', remove: 'true or false' },
  UserProvider: {
    findById: 'user, or nobody',
    findByEmail: 'user, or nobody',
    identify: 'record',
    passwordHash: 'hash, or none',
    verifyPassword: 'permission',
    rehash: 'true or false',
    setPasswordHash: 'true or false',
    present: 'object in JSON',
    canAccessPanel: 'permission',
    create: 'object',
  },
}

interface Case {
  readonly name: string
  readonly promised: Promised
  readonly row: MethodRow<unknown>
  /** Calls the method of a host that answers so. */
  readonly call: (method: () => unknown) => unknown
}

const cases = [...contracts].flatMap(([name, contract]) =>
  Object.entries<MethodRow<unknown>>(contract.rows).map(([method, row]): Case => {
    const types: Readonly<Record<string, Promised>> = Object(PROMISED)[name] ?? {}
    const promised = types[method]
    if (promised === undefined) throw new Error(`${name}.${method} has no type in this test`)
    const call = (answer: () => unknown) => {
      const part = checked({ [method]: answer }, contract)
      // The part has this method only.
      return (part as unknown as Readonly<Record<string, () => unknown>>)[method]?.()
    }
    return { name: `${name}.${method}`, promised, row, call }
  }),
)

// The linter takes an object with this method for a mistake.
const METHOD = ['th', 'en'].join('')

type Settle = (value: unknown) => void

/** Makes a promise as the query of a library is one: it is not native. */
function thenable(run: (settle: Settle, refuse: Settle) => void): unknown {
  return Object.fromEntries([[METHOD, run]])
}

/** Returns how a call ended. */
async function ending(call: () => unknown): Promise<{ readonly value: unknown } | Error> {
  try {
    return { value: await call() }
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

/** Expects an answer of the promised type, or an error: a permission only of a literal `true`. */
function expectClosed({ name, promised }: Case, answer: unknown, end: unknown): void {
  const told = `${name} of ${String(answer)}`
  if (!TYPES[promised](answer)) return expect(end, told).toBeInstanceOf(Error)
  expect(end, told).not.toBeInstanceOf(Error)
  if (promised === 'permission') expect(end, told).toEqual({ value: answer === true })
}

describe('A method of a host', () => {
  it('belongs to a contract that this test knows', () => {
    expect([...contracts.keys()].toSorted()).toEqual(Object.keys(PROMISED).toSorted())
  })

  it('that fails, at once or later, fails the call with the same error', async () => {
    const failure = new Error('the host has failed')
    const ways = [
      () => {
        throw failure
      },
      () => Promise.reject(failure),
      () => thenable((_, refuse) => refuse(failure)),
    ]
    for (const { name, row, call } of cases)
      for (const way of row.due === 'at once' ? ways.slice(0, 1) : ways)
        expect(await ending(() => call(way)), name).toBe(failure)
  })

  it('that returns a value of another type fails the call, and grants nothing', async () => {
    for (const one of cases)
      for (const answer of ANSWERS)
        expectClosed(one, answer, await ending(() => one.call(() => answer)))
  })

  it('that returns a promise is awaited, also a promise of a library', async () => {
    for (const one of cases.filter(({ row }) => row.due !== 'at once'))
      for (const answer of ANSWERS)
        for (const way of [async () => answer, () => thenable((settle) => settle(answer))])
          expectClosed(one, answer, await ending(() => one.call(way)))
  })

  it('that must answer at once is not awaited, and ends no process when it rejects', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    for (const { name, promised, call } of cases.filter(({ row }) => row.due === 'at once'))
      for (const way of [async () => true, () => Promise.reject(new Error('later'))])
        if (promised === 'permission')
          expect(await ending(() => call(way)), name).toEqual({ value: false })
        else expect(await ending(() => call(way)), name).toBeInstanceOf(Error)
    await setImmediate()
    expect(unhandled).toEqual([])
  })

  it('that never answers fails the call after the deadline', async () => {
    const never = new Promise(() => undefined)
    const ways = [
      () => never,
      () => thenable(() => undefined),
      () => thenable((settle) => settle(never)),
    ]
    const inTime = cases.filter(({ row }) => row.due === 'in time')
    expect(
      cases
        .filter(({ row }) => row.due === 'at leisure')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'Logger.error',
      'Logger.warn',
      'Stores.close',
      'Stores.sizes',
      'TwoFactorAuthenticator.migrate',
      'TwoFactorAuthenticator.ready',
    ])
    await atDeadline(
      async () =>
        Promise.all(
          inTime.flatMap(({ name, call }) =>
            ways.map(async (way) =>
              expect(await ending(() => call(way)), name).toMatchObject({
                name: 'DeadlineError',
                message: expect.stringMatching(/did not answer within 5 seconds$/),
              }),
            ),
          ),
        ),
      () => true,
    )
  })

  it('that ends a subscription fails nothing, and ends no process', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const failure = new Error('the bus is down')
    const ways = [
      () => Promise.reject(failure),
      () => {
        throw failure
      },
    ]
    for (const stop of ways) {
      const { subscribe } = checked<Bus>({ publish: () => undefined, subscribe: () => stop }, bus)
      const end = await subscribe('a topic', () => undefined)
      expect(end()).toBeUndefined()
    }
    await setImmediate()
    expect(unhandled).toEqual([])
  })

  it('that is a subscription is ended when it comes after the deadline', async () => {
    let subscribed = (_end: () => void): void => undefined
    let ends = 0
    const late: Bus = {
      publish: () => undefined,
      subscribe: async () => new Promise((resolve) => (subscribed = resolve)),
    }
    const { subscribe } = checked<Bus>(late, bus)
    const given = await atDeadline(
      async () => ending(async () => subscribe('a topic', () => undefined)),
      () => true,
    )
    expect(given).toMatchObject({ name: 'DeadlineError' })
    subscribed(() => void (ends += 1))
    await expect.poll(() => ends).toBe(1)
  })

  it('is called with the `this` of its object', async () => {
    class Counter {
      readonly #count = 7
      async count() {
        return this.#count
      }
    }
    const { count } = checked(new Counter() as unknown as AttemptStore, attemptStore)
    expect(await count('a key', 0)).toBe(7)
  })
})
