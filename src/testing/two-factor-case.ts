import assert from 'node:assert/strict'
import type { Awaitable, TwoFactorAuthenticator } from '../contracts/host.ts'

/** An authenticator under test. Each case opens its own. */
export interface TwoFactorStage<User> {
  /** Two instances over one database, as on two nodes. */
  readonly first: TwoFactorAuthenticator<User>
  readonly second: TwoFactorAuthenticator<User>
  /** Users without a second factor. */
  readonly user: User
  readonly otherUser: User
  /** Returns the code that the user's app shows now for the secret. */
  codeFor(secret: string): Awaitable<string>
  /** Turns the clock of both instances and of the app. */
  advance(seconds: number): Awaitable<void>
  close?(): Awaitable<void>
}

/** Subject of the suite. */
export interface TwoFactorSubject<User> {
  open(): Promise<TwoFactorStage<User>>
  /** Period of a code. Default: 30. */
  readonly periodSeconds?: number
  /** Minimum number of random bits of a secret, which is base32. Default: 160. */
  readonly secretBits?: number
}

/**
 * One rule of the contract, for any test runner: `for (const { name, run } of cases) test(name, ()
 * => run(subject))`.
 */
export interface TwoFactorCase {
  readonly name: string
  /** Rejects if the rule is violated. */
  readonly run: <User>(subject: TwoFactorSubject<User>) => Promise<void>
}

/** The stage of a case, with the subject's settings of codes. */
export type Scene<User> = Omit<TwoFactorStage<User>, 'close'> &
  Required<Omit<TwoFactorSubject<User>, 'open'>>

/** A user who enabled the second factor some time ago. */
export interface Enabled {
  readonly secret: string
  readonly recovery: readonly string[]
}

/** The most devices that a user may have. */
export const MAX_DEVICES = 5

/** Number of concurrent calls. */
export const PARALLEL = 20

/** Creates a case of each rule about a fresh stage, by its name. */
export function asTwoFactorCases(
  rules: Readonly<Record<string, <User>(scene: Scene<User>) => Promise<void>>>,
): readonly TwoFactorCase[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    async run(subject) {
      const { periodSeconds = 30, secretBits = 160 } = subject
      const stage = await subject.open()
      try {
        await rule({
          first: stage.first,
          second: stage.second,
          user: stage.user,
          otherUser: stage.otherUser,
          codeFor: (secret) => stage.codeFor(secret),
          advance: (seconds) => stage.advance(seconds),
          periodSeconds,
          secretBits,
        })
      } finally {
        await stage.close?.()
      }
    },
  }))
}

/** Enables the second factor, and waits until the code of the set-up has expired. */
export async function enable<User>(scene: Scene<User>, user: User = scene.user): Promise<Enabled> {
  const secret = await scene.first.newSecret()
  assert.equal(await scene.first.verifySetup(secret, await scene.codeFor(secret)), true)
  const recovery = await scene.first.enable(user, secret)
  await scene.advance(2 * scene.periodSeconds)
  return { secret, recovery }
}

/** Asserts that the answer is a boolean, and not merely truthy or falsy. */
export async function isPlain(method: string, answer: unknown): Promise<void> {
  const value = await answer
  assert.equal(typeof value, 'boolean', `${method} answers ${typeof value}`)
}

/** Asserts that the code is refused. */
export async function isRefused<User>(
  instance: TwoFactorAuthenticator<User>,
  user: User,
  code: string,
): Promise<void> {
  assert.equal(await instance.verify(user, code), false, `accepted ${JSON.stringify(code)}`)
}

/** Uses the code on both instances many times at once. @returns The number of accepted calls. */
export async function acceptedAtOnce<User>(scene: Scene<User>, code: string): Promise<number> {
  const answers = await Promise.all(
    instances(scene).map(async (instance) => instance.verify(scene.user, code)),
  )
  return answers.filter((answer) => answer).length
}

/** Asserts that different codes that are used at once are each accepted. */
export async function areAccepted<User>(
  scene: Scene<User>,
  codes: readonly string[],
): Promise<void> {
  const accepted = await Promise.all(
    codes.map(async (code, index) => at(instances(scene), index).verify(scene.user, code)),
  )
  assert.deepEqual(new Set(accepted), new Set([true]))
}

/** Asserts that a code is refused after a later one of the same secret was accepted. */
export async function isRefusedAfterLater<User>(
  { first, second, user, ...scene }: Scene<User>,
  secret: string,
): Promise<void> {
  const earlier = await scene.codeFor(secret)
  await scene.advance(scene.periodSeconds)
  assert.equal(await first.verify(user, await scene.codeFor(secret)), true)
  await isRefused(second, user, earlier)
}

/** Returns the two instances in turn, one for each of the concurrent calls. */
export function instances<User>({ first, second }: Scene<User>) {
  return Array.from({ length: PARALLEL }, (_, index) => (index % 2 === 0 ? first : second))
}

/** Returns another code of the same form: every digit and letter is the next one. */
export function wrong(code: string): string {
  return code.replaceAll(/[\da-z]/gi, (one) => RING.charAt(RING.indexOf(one.toLowerCase()) + 1))
}

const RING = '01234567890abcdefghijklmnopqrstuvwxyza'

/**
 * Estimates the maximum number of random bits of codes from a small sample. Characters that are the
 * same in all codes, and separators, count nothing; each other character counts as one of the
 * smallest usual alphabet.
 */
export function bitsAtMost(codes: readonly string[]): number {
  const bare = codes.map((code) => code.replaceAll(/[\s._:-]/g, ''))
  const length = Math.min(...bare.map((code) => code.length))
  const places = Array.from({ length }, (_, place) => new Set(bare.map((code) => code[place])))
  const size = alphabets.find(({ pattern }) => bare.every((code) => pattern.test(code)))?.size ?? 95
  return places.filter((seen) => seen.size > 1).length * Math.log2(size)
}

const alphabets = [
  { pattern: /^\d*$/, size: 10 },
  { pattern: /^[\da-f]*$/i, size: 16 },
  { pattern: /^[\da-z]*$/, size: 36 },
  { pattern: /^[\dA-Z]*$/, size: 36 },
  { pattern: /^[\da-z]*$/i, size: 62 },
]

/** Returns the item at that index. @throws {AssertionError} The list is shorter. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  assert.ok(item !== undefined, `there is no number ${index}`)
  return item
}
