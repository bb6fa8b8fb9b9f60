import assert from 'node:assert/strict'
import {
  PARALLEL,
  acceptedAtOnce,
  areAccepted,
  asTwoFactorCases,
  at,
  bitsAtMost,
  enable,
  instances,
  isPlain,
  isRefused,
  isRefusedAfterLater,
  wrong,
  type TwoFactorCase,
} from './two-factor-case.ts'
import { twoFactorDeviceCases } from './two-factor-device-cases.ts'

const ROUNDS = 5
const MIN_CODES = 8
/** With ten codes and 100 guesses a day: one in 10^12 a day. */
const MIN_BITS = 50
const MAX_CHARACTERS = 64
const MAX_IMAGE_CHARACTERS = 64 * 1024

const hostile: readonly string[] = [
  '',
  ' ',
  '-',
  '\0',
  '0',
  'null',
  'true',
  '__proto__',
  '%',
  '_',
  '*',
  '.*',
  "' OR '1'='1",
  '-1',
  '1e5',
  '0x1E240',
  '٠٠٠٠٠٠',
  '💥💥💥💥💥💥',
  '\ud800',
  '\u202e654321',
  'é'.normalize('NFD').repeat(20),
  'a'.repeat(MAX_CHARACTERS),
  '9'.repeat(MAX_CHARACTERS),
]

/**
 * Cases that every TwoFactorAuthenticator must pass. Those about `devices` do nothing for one
 * without.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 *
 * declare const subject: TwoFactorSubject<User>
 * for (const { name, run } of twoFactorCases) test(name, () => run(subject))
 * ```
 */
export const twoFactorCases: readonly TwoFactorCase[] = [
  ...asTwoFactorCases({
    'every yes and no is a plain boolean': async (scene) => {
      const { first, second, user } = scene
      await isPlain('isEnabledFor', first.isEnabledFor(user))
      await isPlain('isRequiredFor', first.isRequiredFor(user))
      await isPlain('verify', first.verify(user, 'nothing is enabled'))
      const { secret, recovery } = await enable(scene)
      const code = await scene.codeFor(secret)
      await isPlain('verifySetup', first.verifySetup(secret, wrong(code)))
      await isPlain('verifySetup', first.verifySetup(secret, code))
      await isPlain('isEnabledFor', second.isEnabledFor(user))
      for (const entered of [wrong(code), code, code, ...recovery.slice(0, 1)]) {
        await isPlain('verify', second.verify(user, entered))
      }
    },
    'nobody has it enabled at first, and no code is right': async (scene) => {
      const { first, second, user } = scene
      const code = await scene.codeFor(await first.newSecret())
      for (const instance of [first, second]) {
        assert.equal(await instance.isEnabledFor(user), false)
        for (const entered of [code, ...hostile]) await isRefused(instance, user, entered)
      }
    },
    'a new secret is another one each time, random enough, in base32': async (scene) => {
      const secrets: string[] = []
      for (let made = 0; made < 50; made += 1) secrets.push(await scene.first.newSecret())
      assert.equal(new Set(secrets).size, secrets.length, 'the same secret was given twice')
      for (const secret of secrets) {
        assert.match(secret, /^[a-z2-7]+=*$/i, 'a secret is not base32')
        const bits = secret.replaceAll('=', '').length * 5
        assert.ok(bits >= scene.secretBits, `a secret has ${bits} bits, not ${scene.secretBits}`)
      }
    },
    'the QR code is the address of an image': async ({ first, user }) => {
      const image = await first.qrCode(user, await first.newSecret())
      assert.match(image, /^(data:image\/|https:\/\/|\/)/)
      assert.ok(image.length <= MAX_IMAGE_CHARACTERS, `it has ${image.length} characters`)
    },
    'verifySetup refuses a wrong code and takes the right one': async (scene) => {
      const secret = await scene.first.newSecret()
      const code = await scene.codeFor(secret)
      for (const entered of [wrong(code), ...hostile, `${code}\0`, `${code}${code}`]) {
        assert.equal(await scene.first.verifySetup(secret, entered), false, JSON.stringify(entered))
      }
      assert.equal(await scene.first.verifySetup(await scene.first.newSecret(), code), false)
      assert.equal(await scene.first.verifySetup(secret, code), true)
    },
    'a set-up that was not finished enables nothing': async (scene) => {
      const { first, second, user } = scene
      const secret = await first.newSecret()
      await first.qrCode(user, secret)
      assert.equal(await first.verifySetup(secret, await scene.codeFor(secret)), true)
      for (const instance of [first, second]) {
        assert.equal(await instance.isEnabledFor(user), false)
        await isRefused(instance, user, await scene.codeFor(secret))
      }
    },

    'what one instance enables, the other knows': async (scene) => {
      const { first, second, user, otherUser } = scene
      const { secret } = await enable(scene)
      for (const instance of [first, second]) {
        assert.equal(await instance.isEnabledFor(user), true)
        assert.equal(await instance.isEnabledFor(otherUser), false)
      }
      assert.equal(await second.verify(user, await scene.codeFor(secret)), true)
    },
    'enabling gives enough recovery codes that nobody can guess': async (scene) => {
      const { recovery } = await enable(scene)
      assert.ok(Array.isArray(recovery), 'the recovery codes are not a list')
      assert.ok(recovery.length >= MIN_CODES, `there are only ${recovery.length} recovery codes`)
      assert.equal(new Set(recovery).size, recovery.length, 'two recovery codes are the same')
      for (const code of recovery) {
        assert.equal(typeof code, 'string')
        assert.ok(code.length <= MAX_CHARACTERS, `a recovery code has ${code.length} characters`)
        assert.equal(code, code.trim(), 'a recovery code has white space around it')
      }
      const bits = bitsAtMost(recovery)
      assert.ok(bits >= MIN_BITS, `the recovery codes have at most ${Math.floor(bits)} random bits`)
    },
    'enabling twice is an error and overwrites nothing': async (scene) => {
      const { first, second, user } = scene
      const { secret, recovery } = await enable(scene)
      const another = await second.newSecret()
      await second.verifySetup(another, await scene.codeFor(another))
      await assert.rejects(async () => second.enable(user, another), 'it was enabled twice')
      await scene.advance(2 * scene.periodSeconds)
      await isRefused(first, user, await scene.codeFor(another))
      assert.equal(await first.verify(user, await scene.codeFor(secret)), true)
      assert.equal(await second.verify(user, at(recovery, 0)), true)
    },
    [`of ${PARALLEL} times enabling at once one succeeds`]: async (scene) => {
      const { user } = scene
      const secret = await scene.first.newSecret()
      await scene.first.verifySetup(secret, await scene.codeFor(secret))
      const made = await Promise.allSettled(
        instances(scene).map(async (instance) => instance.enable(user, secret)),
      )
      const lists = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.equal(lists.length, 1, `${lists.length} were told recovery codes`)
      assert.equal(await scene.first.verify(user, at(lists.flat(), 0)), true)
    },
    'disabling ends all codes': async (scene) => {
      const { first, second, user } = scene
      const { secret, recovery } = await enable(scene)
      await first.disable(user)
      for (const instance of [first, second]) {
        assert.equal(await instance.isEnabledFor(user), false)
        for (const entered of [await scene.codeFor(secret), ...recovery]) {
          await isRefused(instance, user, entered)
        }
      }
    },
    'disabling what is not enabled changes nothing': async (scene) => {
      await scene.first.disable(scene.user)
      assert.equal(await scene.first.isEnabledFor(scene.user), false)
    },
    'enabled anew, only the new codes are right': async (scene) => {
      const { first, second, user } = scene
      const old = await enable(scene)
      await first.disable(user)
      const { secret, recovery } = await enable(scene)
      for (const code of [await scene.codeFor(old.secret), ...old.recovery]) {
        await isRefused(second, user, code)
      }
      assert.equal(await second.verify(user, await scene.codeFor(secret)), true)
      assert.equal(await second.verify(user, at(recovery, 0)), true)
    },

    'a wrong code is refused, and the right one after it is not': async (scene) => {
      const { first, user } = scene
      const { secret, recovery } = await enable(scene)
      const code = await scene.codeFor(secret)
      await isRefused(first, user, wrong(code))
      await isRefused(first, user, wrong(at(recovery, 0)))
      assert.equal(await first.verify(user, code), true)
    },
    'a code is accepted once': async (scene) => {
      const { first, second, user } = scene
      const { secret } = await enable(scene)
      const code = await scene.codeFor(secret)
      assert.equal(await first.verify(user, code), true)
      for (const instance of [first, second]) await isRefused(instance, user, code)
      await scene.advance(scene.periodSeconds)
      await isRefused(second, user, code)
      assert.equal(await second.verify(user, await scene.codeFor(secret)), true)
    },
    'a code is refused after a later one was accepted': async (scene) => {
      const { secret } = await enable(scene)
      await isRefusedAfterLater(scene, secret)
    },
    'the code of the set-up does not log in': async (scene) => {
      const { first, second, user } = scene
      const secret = await first.newSecret()
      const code = await scene.codeFor(secret)
      assert.equal(await first.verifySetup(secret, code), true)
      await first.enable(user, secret)
      for (const instance of [first, second]) await isRefused(instance, user, code)
    },
    'a code that is long over is refused': async (scene) => {
      const { secret } = await enable(scene)
      const code = await scene.codeFor(secret)
      await scene.advance(10 * scene.periodSeconds)
      await isRefused(scene.first, scene.user, code)
    },
    [`of ${PARALLEL} uses of a code at once one is accepted`]: async (scene) => {
      const { secret } = await enable(scene)
      // Several rounds, because a single race may be won by luck.
      for (let round = 0; round < ROUNDS; round += 1) {
        assert.equal(await acceptedAtOnce(scene, await scene.codeFor(secret)), 1)
        await scene.advance(scene.periodSeconds)
      }
    },
    'a recovery code is accepted once, and the others stay': async (scene) => {
      const { first, second, user } = scene
      const { recovery } = await enable(scene)
      for (const code of recovery) {
        assert.equal(await first.verify(user, code), true)
        for (const instance of [first, second]) await isRefused(instance, user, code)
      }
      assert.equal(await second.isEnabledFor(user), true)
    },
    [`of ${PARALLEL} uses of a recovery code at once one is accepted`]: async (scene) => {
      const { recovery } = await enable(scene)
      for (const code of recovery.slice(0, ROUNDS)) {
        assert.equal(await acceptedAtOnce(scene, code), 1)
      }
    },
    'recovery codes that are used at once are each accepted': async (scene) => {
      const { recovery } = await enable(scene)
      const codes = recovery.slice(0, MIN_CODES)
      await areAccepted(scene, codes)
      for (const code of codes) await isRefused(scene.first, scene.user, code)
    },
    'the codes of one user do not open another': async (scene) => {
      const { first, second, user, otherUser } = scene
      const own = await enable(scene)
      const others = await enable(scene, otherUser)
      const code = await scene.codeFor(own.secret)
      await isRefused(first, otherUser, code)
      for (const recovery of own.recovery) await isRefused(second, otherUser, recovery)
      assert.equal(await first.verify(user, code), true, 'the other user used it up')
      assert.equal(await first.verify(user, at(own.recovery, 0)), true, 'the other user used it up')
      await first.disable(user)
      assert.equal(await second.verify(otherUser, at(others.recovery, 0)), true)
      assert.equal(await second.verify(otherUser, await scene.codeFor(others.secret)), true)
    },
    'hostile codes are refused, without an error': async (scene) => {
      const { first, user } = scene
      const { secret, recovery } = await enable(scene)
      const code = await scene.codeFor(secret)
      const near = [`${code}\0`, `${code}\0${code}`, `${code}${code}`, code.slice(1), `${code}.0`]
      const joined = [recovery.slice(0, 2).join(','), recovery.slice(0, 2).join('\n'), `${code}%`]
      for (const entered of [...hostile, ...near, ...joined]) await isRefused(first, user, entered)
      assert.equal(await first.verify(user, code), true, 'a refused code used up the right one')
    },
  }),
  ...twoFactorDeviceCases,
]
