import type { Awaitable, TwoFactorAuthenticator } from '../../contracts/host.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { createKeyedQueue } from '../../process/keyed-queue.ts'
import { sizes } from '../../rules/limits.ts'
import type { TwoFactorState } from '../../rules/states.ts'
import { mapAwaitable, withTimeout } from '../timeouts.ts'
import { imageSource } from './image-source.ts'
import { ownerKey } from '../../rules/owner-key.ts'

/**
 * Wraps the host's second factor: awaits its answers with a timeout and checks their types. Any
 * other behaviour is an outage.
 *
 * @see docs/http-api.md, "Second factor"
 */
export interface CheckedAuthenticator<User> {
  stateOf(user: User): Promise<TwoFactorState & { readonly state: 'enabled' | 'not-enabled' }>
  isEnabledFor(user: User): Awaitable<boolean>
  isRequiredFor(user: User): Awaitable<boolean>
  /**
   * Verifies a code. Calls for one user run one at a time within a node.
   *
   * @param admit Called when this call's turn comes. Resolves to the user that the code is verified
   *   for, or to `null` when the code must no longer be verified. `isAbandoned` returns whether the
   *   caller has stopped waiting.
   */
  verify(
    owner: Owner,
    code: string,
    admit: (isAbandoned: () => boolean) => Promise<User | null>,
  ): Promise<'accepted' | 'refused' | 'unchecked'>
  newSecret(): Promise<string>
  qrCode(user: User, secret: string): Promise<string>
  verifySetup(secret: string, code: string): Promise<boolean>
  enable(user: User, secret: string): Promise<readonly string[]>
  disable(user: User): Promise<void>
}

export function createCheckedAuthenticator<User>(
  contract: TwoFactorAuthenticator<User>,
): CheckedAuthenticator<User> {
  const queue = createKeyedQueue()
  const isEnabledFor = (user: User): Awaitable<boolean> =>
    booleanOf('isEnabledFor', () => contract.isEnabledFor(user))
  const isRequiredFor = (user: User): Awaitable<boolean> =>
    booleanOf('isRequiredFor', () => contract.isRequiredFor(user))
  return {
    isEnabledFor,
    isRequiredFor,
    async stateOf(user) {
      const required = await isRequiredFor(user)
      return { state: (await isEnabledFor(user)) ? 'enabled' : 'not-enabled', required }
    },
    verify: async (owner, code, admit) =>
      withTurnTimeout(async (isAbandoned) =>
        queue.run(ownerKey(owner), async () => {
          const user = isAbandoned() ? null : await admit(isAbandoned)
          // The caller has stopped waiting, so this call must not use up a code.
          if (user === null || isAbandoned()) return 'unchecked'
          const answer = await callHost('verify', () => contract.verify(user, code))
          return answer === true ? 'accepted' : 'refused'
        }),
      ),
    newSecret: async () =>
      textOf(
        'newSecret',
        sizes.secretCharacters,
        await callHost('newSecret', () => contract.newSecret()),
      ),
    qrCode: async (user, secret) =>
      imageOf(await callHost('qrCode', () => contract.qrCode(user, secret))),
    verifySetup: async (secret, code) =>
      (await callHost('verifySetup', () => contract.verifySetup(secret, code))) === true,
    enable: async (user, secret) =>
      codesOf(await callHost('enable', () => contract.enable(user, secret))),
    disable: async (user) => callHost('disable', () => contract.disable(user)),
  }
}

/**
 * Calls the host with a timeout. A promise is truthy, so no answer may be inspected before it has
 * been awaited.
 */
function callHost<T>(method: string, call: () => Awaitable<T>): Awaitable<T> {
  return withTimeout(`the second factor's ${method}`, call())
}

function booleanOf(method: string, call: () => Awaitable<unknown>): Awaitable<boolean> {
  return mapAwaitable(callHost(method, call), (answer) => {
    if (typeof answer === 'boolean') return answer
    // Treating this answer as false would skip the second factor.
    throw new TypeError(`the second factor's ${method} did not return a boolean`)
  })
}

function textOf(method: string, max: number, answer: unknown): string {
  if (typeof answer === 'string' && answer !== '' && answer.length <= max) return answer
  throw new TypeError(
    `the second factor's ${method} did not return a text of 1 to ${max} characters`,
  )
}

function imageOf(answer: unknown): string {
  const source = imageSource(textOf('qrCode', sizes.qrCodeCharacters, answer))
  if (source !== null) return source
  throw new TypeError("the second factor's qrCode returned markup that is not an SVG image")
}

function codesOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer) && answer.length > 0 && answer.length <= sizes.recoveryCodes) {
    return answer.map((code) => textOf('enable', sizes.recoveryCodeCharacters, code))
  }
  throw new TypeError(
    `the second factor's enable must return 1 to ${sizes.recoveryCodes} recovery codes`,
  )
}

/** Runs a step under a timeout that also covers the wait for its turn. */
async function withTurnTimeout<T>(run: (isAbandoned: () => boolean) => Promise<T>): Promise<T> {
  let abandoned = false
  try {
    return await withTimeout(
      "a turn of the second factor's verify",
      run(() => abandoned),
    )
  } finally {
    abandoned = true
  }
}
