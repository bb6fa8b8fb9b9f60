import type { TwoFactorAuthenticator } from '../contracts.ts'

/** What can be counted and made to fail. */
export type TwoFactorCall = keyof TwoFactorAuthenticator<unknown>

/** What the fake knows of a user. */
export interface FakeFactor {
  readonly enabled: boolean
  readonly required: boolean
  /** The secret that was stored by `enable`; `null`: it was not enabled by that. */
  readonly secret: string | null
  /** The recovery codes that are left. */
  readonly recovery: readonly string[]
}

export interface FakeTwoFactorOptions {
  /** Right for everybody, as often as it is used. Default: `123456`. */
  readonly code?: string
  /** What everybody who enables gets; each is right once. Default: eight, like `rcv-aaaa-1111`. */
  readonly recovery?: readonly string[]
  /** Given by every `newSecret`. Default: another one each time. */
  readonly secret?: string
  /** The ids of the users who have enabled it. */
  readonly enabled?: readonly string[]
  /** The ids of the users who have to. */
  readonly required?: readonly string[]
}

/** A TwoFactorAuthenticator for tests, with faults to switch on. */
export interface FakeTwoFactor<User> extends TwoFactorAuthenticator<User> {
  /** The secrets that `newSecret` gave, in their order. */
  readonly secrets: readonly string[]
  /** How a user stands now. Counts as no call. */
  row(id: string): FakeFactor
  /** Who becomes enabled by it has all recovery codes, unless they are given. */
  update(id: string, changes: Partial<FakeFactor>): void
  /** How often each was called, failing or not. */
  readonly calls: Readonly<Record<TwoFactorCall, number>>
  /** Makes the method reject, until `recover`. */
  failWith(method: TwoFactorCall, error: Error): void
  /** Makes the method throw before it gives a promise, until `recover`. */
  throwAtOnce(method: TwoFactorCall, error: Error): void
  /** Makes the method wait, until `recover`. @returns how to let the calls that wait go on, too late. */
  hang(method: TwoFactorCall): () => void
  /** Makes the method answer that, whatever its type says, until `recover`. */
  answerWith(method: TwoFactorCall, value: unknown): void
  /** Makes each call wait until so many have arrived, or for 300 ms: a race without luck. */
  barrier(method: TwoFactorCall, calls: number): void
  recover(): void
}

const RECOVERY = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
  (letter, index) => `rcv-${letter.repeat(4)}-${String(index + 1).repeat(4)}`,
)
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Makes a second factor that knows right codes, and everybody by the id. */
export function fakeTwoFactor<User extends { readonly id: string }>(
  options: FakeTwoFactorOptions = {},
): FakeTwoFactor<User> {
  const { code: right = '123456', recovery = RECOVERY } = options
  const { answer, ...faults } = makeFaults()
  const { row, update } = makeRows({ ...options, recovery })
  const secrets: string[] = []

  function accepts(id: string, code: string): boolean {
    const { enabled, recovery: left } = row(id)
    if (enabled && left.includes(code)) {
      update(id, { recovery: left.filter((one) => one !== code) })
      return true
    }
    return enabled && code === right
  }
  function nextSecret(): string {
    const secret = options.secret ?? numberedSecret(secrets.length)
    secrets.push(secret)
    return secret
  }
  return {
    ...faults,
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
  return { row, update }
}

/** 160 bits as base32, where the number is written with two letters. */
function numberedSecret(number: number): string {
  const letter = (value: number) => String.fromCharCode(65 + (value % 26))
  return `FAKESECRET${letter(number / 26)}${letter(number)}`.padEnd(32, 'A')
}

const BARRIER_MS = 300

/** What a fault does in place of the work, or before it. */
type Fault = (work: () => unknown) => Promise<unknown>

function makeFaults() {
  const faults = new Map<TwoFactorCall, Fault>()
  const calls: Record<TwoFactorCall, number> = {
    isEnabledFor: 0,
    isRequiredFor: 0,
    verify: 0,
    newSecret: 0,
    qrCode: 0,
    verifySetup: 0,
    enable: 0,
    disable: 0,
  }
  function answer<Result>(method: TwoFactorCall, work: () => Result): Promise<Result> {
    calls[method] += 1
    const fault = faults.get(method) ?? asItShould
    // A fault may answer with something else: that the types do not allow it is the point.
    return fault(work) as Promise<Result>
  }
  return {
    answer,
    calls,
    failWith: (method: TwoFactorCall, error: Error) => {
      faults.set(method, () => Promise.reject(error))
    },
    throwAtOnce: (method: TwoFactorCall, error: Error) => {
      faults.set(method, () => {
        throw error
      })
    },
    hang: (method: TwoFactorCall) => {
      const { promise, resolve } = gate()
      faults.set(method, (work) => promise.then(work))
      return resolve
    },
    answerWith: (method: TwoFactorCall, value: unknown) => {
      faults.set(method, async () => value)
    },
    barrier: (method: TwoFactorCall, expected: number) => {
      faults.set(method, barrierOf(expected))
    },
    recover: () => faults.clear(),
  }
}

async function asItShould(work: () => unknown): Promise<unknown> {
  return work()
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
