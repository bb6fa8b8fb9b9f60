import type { TwoFactorAuthenticator } from '../contracts/host.ts'
import { fakeDevices } from './fake-devices.ts'
import { createFaults, failing, type Fault } from './faults.ts'

const METHODS = [
  'isEnabledFor',
  'isRequiredFor',
  'verify',
  'newSecret',
  'qrCode',
  'verifySetup',
  'enable',
  'disable',
] as const

/** Methods that can be counted and made to fail. */
export type TwoFactorCall = (typeof METHODS)[number]

/** State of a user's second factor in the fake. */
export interface FakeFactor {
  readonly enabled: boolean
  readonly required: boolean
  /** Secret stored by `enable`; `null` if it was enabled in another way. */
  readonly secret: string | null
  /** Unused recovery codes. */
  readonly recovery: readonly string[]
}

/** The options of `fakeTwoFactor`. */
export interface FakeTwoFactorOptions {
  /** Valid for every user, any number of times. Default: `123456`. */
  readonly code?: string
  /**
   * Recovery codes of every user who enables; each is valid once. Default: eight, like
   * `rcv-aaaa-1111`.
   */
  readonly recovery?: readonly string[]
  /** Secret that every `newSecret` returns. Default: another one each time. */
  readonly secret?: string
  /** Ids of the users who have enabled it. */
  readonly enabled?: readonly string[]
  /** Ids of the users who must enable it. */
  readonly required?: readonly string[]
  /** `true`: users may have several devices, whose codes are the same. Default: one for each. */
  readonly devices?: boolean
}

/** A TwoFactorAuthenticator for tests, with switchable faults. */
export interface FakeTwoFactor<User> extends TwoFactorAuthenticator<User> {
  /** Secrets that `newSecret` has returned, in order. */
  readonly secrets: readonly string[]
  /** Returns a user's state. Does not count as a call. */
  row(id: string): FakeFactor
  /**
   * Changes a user's state. A user who becomes enabled has all recovery codes, unless they are
   * given.
   */
  update(id: string, changes: Partial<FakeFactor>): void
  /** Number of calls of each method, including failed ones. */
  readonly calls: Readonly<Record<TwoFactorCall, number>>
  /** Makes the method reject until `recover`. */
  failWith(method: TwoFactorCall, error: Error): void
  /** Makes the method throw synchronously until `recover`. */
  throwAtOnce(method: TwoFactorCall, error: Error): void
  /** Makes the method hang until `recover`. @returns A function that resumes the hanging calls. */
  hang(method: TwoFactorCall): () => void
  /** Makes the method return this value, whatever its type, until `recover`. */
  answerWith(method: TwoFactorCall, value: unknown): void
  /** Makes each call wait for the given number of calls, or 300 ms, to force a race. */
  barrier(method: TwoFactorCall, calls: number): void
  recover(): void
}

const RECOVERY = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
  (letter, index) => `rcv-${letter.repeat(4)}-${String(index + 1).repeat(4)}`,
)
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/**
 * Creates a second factor that knows valid codes, and users by their id.
 *
 * @example
 * ```ts
 * const twoFactor = fakeTwoFactor<User>({ code: '123456', enabled: ['ada'] })
 * twoFactor.failWith('verify', new Error('the authenticator is down'))
 * ```
 */
export function fakeTwoFactor<User extends { readonly id: string }>(
  options: FakeTwoFactorOptions = {},
): FakeTwoFactor<User> {
  const { code: right = '123456', recovery = RECOVERY } = options
  const { answer, calls, set, recover } = createFaults(METHODS)
  const { row, update, useRecoveryCode } = makeRows({ ...options, recovery })
  const { secrets, nextSecret } = makeSecrets(options)
  const accepts = (id: string, code: string): boolean =>
    row(id).enabled && (useRecoveryCode(id, code) || code === right)
  return {
    calls,
    ...switchesOf(set),
    recover,
    ...(options.devices === true && { devices: fakeDevices((id) => row(id).enabled) }),
    secrets,
    row,
    update,
    isEnabledFor: ({ id }) => answer('isEnabledFor', () => row(id).enabled),
    isRequiredFor: ({ id }) => answer('isRequiredFor', () => row(id).required),
    verify: ({ id }, code) => answer('verify', () => accepts(id, code)),
    newSecret: () => answer('newSecret', nextSecret),
    qrCode: () => answer('qrCode', () => IMAGE),
    verifySetup: (secret, code) =>
      answer('verifySetup', () => secrets.includes(secret) && code === right),
    enable: ({ id }, secret) =>
      answer('enable', () => {
        if (row(id).enabled) throw new Error(`the second factor of ${id} is enabled already`)
        update(id, { enabled: true, secret })
        return recovery
      }),
    disable: ({ id }) =>
      answer('disable', () => {
        update(id, { enabled: false, secret: null, recovery: [] })
      }),
  }
}

function makeRows({ enabled = [], required = [], recovery = [] }: FakeTwoFactorOptions) {
  const rows = new Map<string, FakeFactor>()
  function row(id: string): FakeFactor {
    const isEnabled = enabled.includes(id)
    const first = { enabled: isEnabled, required: required.includes(id), secret: null }
    return rows.get(id) ?? { ...first, recovery: isEnabled ? recovery : [] }
  }
  function update(id: string, changes: Partial<FakeFactor>): void {
    const before = row(id)
    const given = changes.enabled === true && !before.enabled ? { recovery } : {}
    rows.set(id, { ...before, ...given, ...changes })
  }
  function useRecoveryCode(id: string, code: string): boolean {
    const unused = row(id).recovery
    if (!unused.includes(code)) return false
    update(id, { recovery: unused.filter((one) => one !== code) })
    return true
  }
  return { row, update, useRecoveryCode }
}

function makeSecrets({ secret: constant }: FakeTwoFactorOptions) {
  const secrets: string[] = []
  function nextSecret(): string {
    const secret = constant ?? numberedSecret(secrets.length)
    secrets.push(secret)
    return secret
  }
  return { secrets, nextSecret }
}

/** Returns 160 bits as base32 that encode the number. */
function numberedSecret(number: number): string {
  const letter = (value: number) => String.fromCharCode(65 + (value % 26))
  return `FAKESECRET${letter(number / 26)}${letter(number)}`.padEnd(32, 'A')
}

const BARRIER_MS = 300

/** The methods that make others fail. */
type Switches = Pick<
  FakeTwoFactor<unknown>,
  'failWith' | 'throwAtOnce' | 'hang' | 'answerWith' | 'barrier'
>

function switchesOf(set: (fault: Fault, method: TwoFactorCall) => void): Switches {
  return {
    failWith: (method, error) => set(failing(error), method),
    throwAtOnce: (method, error) => set(throwing(error), method),
    hang(method) {
      const { promise, resolve } = gate()
      set((work) => promise.then(work), method)
      return resolve
    },
    answerWith: (method, value) => set(async () => value, method),
    barrier: (method, expected) => set(barrierOf(expected), method),
  }
}

function throwing(error: Error): Fault {
  return () => {
    throw error
  }
}

function barrierOf(expected: number): Fault {
  const { promise, resolve } = gate()
  let arrived = 0
  return async (work) => {
    arrived += 1
    if (arrived >= expected) resolve()
    const timer = setTimeout(resolve, BARRIER_MS)
    await promise
    clearTimeout(timer)
    return work()
  }
}

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
