import type { Awaitable, Owner, TwoFactorAuthenticator } from '../../contracts.ts'
import { sizes } from '../../rules/limits.ts'
import type { TwoFactorState } from '../../rules/states.ts'
import { mapAwaitable, withTimeout } from '../timeouts.ts'
import { imageSource } from './image-source.ts'
import { ownerKey } from '../../rules/owner-key.ts'

/**
 * The second factor behind its boundary: what the host's contract answers is awaited, waited for not for ever,
 * and believed only where it is of the kind that was promised. Everything else is an outage.
 *
 * @see docs/http-api.md, "Second factor"
 */
export interface CheckedAuthenticator<User> {
  stateOf(user: User): Promise<TwoFactorState & { readonly state: 'enabled' | 'not-enabled' }>
  isEnabledFor(user: User): Awaitable<boolean>
  isRequiredFor(user: User): Awaitable<boolean>
  /**
   * Asks about a code. Calls for one user run one at a time within a node.
   *
   * @param admit Called when it is this call's turn; resolves to whom the code is checked for, or to `null` where it
   *   is not to be checked any more. `isOver`: nobody waits for the answer.
   */
  verify(
    owner: Owner,
    code: string,
    admit: (isOver: () => boolean) => Promise<User | null>,
  ): Promise<'accepted' | 'refused' | 'unchecked'>
  newSecret(): Promise<string>
  qrCode(user: User, secret: string): Promise<string>
  verifySetup(secret: string, code: string): Promise<boolean>
  enable(user: User, secret: string): Promise<readonly string[]>
  disable(user: User): Promise<void>
}

export function checkAuthenticator<User>(
  contract: TwoFactorAuthenticator<User>,
): CheckedAuthenticator<User> {
  const inTurn = takingTurns()
  const isEnabledFor = (user: User): Awaitable<boolean> =>
    yesOrNo('isEnabledFor', () => contract.isEnabledFor(user))
  const isRequiredFor = (user: User): Awaitable<boolean> =>
    yesOrNo('isRequiredFor', () => contract.isRequiredFor(user))
  return {
    isEnabledFor,
    isRequiredFor,
    async stateOf(user) {
      const required = await isRequiredFor(user)
      return { state: (await isEnabledFor(user)) ? 'enabled' : 'not-enabled', required }
    },
    verify: async (owner, code, admit) =>
      waiting(async (isOver) =>
        inTurn(ownerKey(owner), async () => {
          const user = isOver() ? null : await admit(isOver)
          // Nobody waits for it any more: it must not use up a code.
          if (user === null || isOver()) return 'unchecked'
          const answer = await ask('verify', () => contract.verify(user, code))
          return answer === true ? 'accepted' : 'refused'
        }),
      ),
    newSecret: async () =>
      textOf(
        'newSecret',
        sizes.secretCharacters,
        await ask('newSecret', () => contract.newSecret()),
      ),
    qrCode: async (user, secret) =>
      imageOf(await ask('qrCode', () => contract.qrCode(user, secret))),
    verifySetup: async (secret, code) =>
      (await ask('verifySetup', () => contract.verifySetup(secret, code))) === true,
    enable: async (user, secret) =>
      codesOf(await ask('enable', () => contract.enable(user, secret))),
    disable: async (user) => ask('disable', () => contract.disable(user)),
  }
}

/** A promise is truthy: nothing that the contract answers is looked at before it has been awaited. */
function ask<T>(method: string, call: () => Awaitable<T>): Awaitable<T> {
  return withTimeout(`the second factor's ${method}`, call())
}

function yesOrNo(method: string, call: () => Awaitable<unknown>): Awaitable<boolean> {
  return mapAwaitable(ask(method, call), (answer) => {
    if (typeof answer === 'boolean') return answer
    // Taking it for a no would skip the factor.
    throw new TypeError(`the second factor's ${method} answered no boolean`)
  })
}

function textOf(method: string, most: number, answer: unknown): string {
  if (typeof answer === 'string' && answer !== '' && answer.length <= most) return answer
  throw new TypeError(`the second factor's ${method} answered no text of 1 to ${most} characters`)
}

function imageOf(answer: unknown): string {
  const source = imageSource(textOf('qrCode', sizes.qrCodeCharacters, answer))
  if (source !== null) return source
  throw new TypeError("the second factor's qrCode returned markup that is no SVG image")
}

function codesOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer) && answer.length > 0 && answer.length <= sizes.recoveryCodes) {
    return answer.map((code) => textOf('enable', sizes.recoveryCodeCharacters, code))
  }
  throw new TypeError(
    `the second factor's enable must return 1 to ${sizes.recoveryCodes} recovery codes`,
  )
}

/** The deadline holds for the wait for a turn, too. */
async function waiting<T>(run: (isOver: () => boolean) => Promise<T>): Promise<T> {
  let over = false
  try {
    return await withTimeout(
      "a turn of the second factor's verify",
      run(() => over),
    )
  } finally {
    over = true
  }
}

/** Runs what has the same name one after the other. */
function takingTurns(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, run) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(run, run)
    last.set(name, turn)
    try {
      return await turn
    } finally {
      if (last.get(name) === turn) last.delete(name)
    }
  }
}
