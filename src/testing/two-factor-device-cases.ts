import assert from 'node:assert/strict'
import type { TwoFactorDevice, TwoFactorDevices } from '../contracts/two-factor-devices.ts'
import {
  MAX_DEVICES,
  PARALLEL,
  acceptedAtOnce,
  areAccepted,
  asTwoFactorCases,
  at,
  enable,
  instances,
  isPlain,
  isRefused,
  isRefusedAfterLater,
  type Enabled,
  type Scene,
} from './two-factor-case.ts'

const LONG_NAME = '\u{1F4F1}'.repeat(60)
const NAMES = ['Pixel', 'هاتف', 'O\'Neill \\ "x" <b>%_', ' '.repeat(3) + '-', LONG_NAME] as const

/** A scene with an authenticator of several devices. */
interface DeviceScene<User> extends Scene<User> {
  readonly devices: TwoFactorDevices<User>
  readonly others: TwoFactorDevices<User>
}

type DeviceRule = <User>(scene: DeviceScene<User>) => Promise<void>

/** Creates the cases, which do nothing for an authenticator without devices. */
function asDeviceCases(rules: Readonly<Record<string, DeviceRule>>) {
  const ofDevices =
    (rule: DeviceRule) =>
    async <User>(scene: Scene<User>): Promise<void> => {
      const { devices } = scene.first
      const others = scene.second.devices
      if (devices !== undefined && others !== undefined) await rule({ ...scene, devices, others })
    }
  return asTwoFactorCases(
    Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, ofDevices(rule)])),
  )
}

/** Adds a device, and waits until the code of its set-up has expired. @returns its secret. */
async function add<User>(scene: DeviceScene<User>, name: string): Promise<string> {
  const secret = await prepared(scene)
  assert.equal(await scene.devices.add(scene.user, { secret, name }), true)
  await scene.advance(2 * scene.periodSeconds)
  return secret
}

/** Returns a secret whose first code was verified. */
async function prepared<User>({ first, codeFor }: DeviceScene<User>): Promise<string> {
  const secret = await first.newSecret()
  assert.equal(await first.verifySetup(secret, await codeFor(secret)), true)
  return secret
}

async function named<User>(scene: DeviceScene<User>, name: string): Promise<TwoFactorDevice> {
  const found = (await scene.others.list(scene.user)).find((device) => device.name === name)
  assert.ok(found !== undefined, `no device is called ${name}`)
  return found
}

async function full<User>(scene: DeviceScene<User>): Promise<Enabled> {
  const first = await enable(scene)
  for (let count = 1; count < MAX_DEVICES; count += 1) await add(scene, `device ${count}`)
  return first
}

/** The cases of authenticators with several devices. */
export const twoFactorDeviceCases = asDeviceCases({
  'a user without a second factor has no device, and gets none': async (scene) => {
    const { devices, others, user, first } = scene
    assert.deepEqual(await devices.list(user), [])
    const secret = await prepared(scene)
    assert.equal(await devices.add(user, { secret, name: 'Pixel' }), false)
    assert.equal(await others.remove(user, 'first'), false)
    assert.equal(await first.isEnabledFor(user), false)
    await isRefused(first, user, await scene.codeFor(secret))
  },
  'a user who enables the second factor has one device, which stays': async (scene) => {
    const { devices, others, user } = scene
    const { secret } = await enable(scene)
    const [only, ...more] = await others.list(user)
    assert.deepEqual(more, [])
    assert.ok(only !== undefined, 'there is no device')
    assert.equal(await devices.remove(user, only.id), false, 'the last device was removed')
    assert.equal(await scene.second.verify(user, await scene.codeFor(secret)), true)
  },
  'the codes of every device log in, each once': async (scene) => {
    const { first, second, user } = scene
    const secrets = [(await enable(scene)).secret]
    for (const name of NAMES.slice(1)) secrets.push(await add(scene, name))
    for (const secret of secrets) {
      const code = await scene.codeFor(secret)
      assert.equal(await second.verify(user, code), true)
      for (const instance of [first, second]) await isRefused(instance, user, code)
    }
    await scene.advance(scene.periodSeconds)
    for (const secret of secrets) {
      assert.equal(await first.verify(user, await scene.codeFor(secret)), true)
    }
  },
  'a code is refused after a later one of the same device was accepted': async (scene) => {
    await enable(scene)
    await isRefusedAfterLater(scene, await add(scene, 'Pixel'))
  },
  'the code that adds a device does not log in': async (scene) => {
    const { devices, user } = scene
    await enable(scene)
    const secret = await prepared(scene)
    const code = await scene.codeFor(secret)
    assert.equal(await devices.add(user, { secret, name: 'Pixel' }), true)
    for (const instance of [scene.first, scene.second]) await isRefused(instance, user, code)
  },
  'devices are listed in the order of their addition, with their names': async (scene) => {
    await enable(scene)
    const names = NAMES.slice(1)
    for (const name of names) await add(scene, name)
    const listed = await scene.others.list(scene.user)
    assert.deepEqual(
      listed.slice(1).map(({ name }) => name),
      names,
    )
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length, 'two ids are the same')
    for (const { id, addedAt, lastUsedAt } of listed) {
      assert.ok(id !== '' && id.length <= 64, 'an id is empty, or too long')
      for (const time of [addedAt, lastUsedAt])
        assert.ok(time === null || !Number.isNaN(time.getTime()), 'a time is invalid')
    }
  },
  'a removed device is refused at once, and the others are not': async (scene) => {
    const { devices, first, second, user } = scene
    const { secret, recovery } = await enable(scene)
    const [pixel, tablet] = [await add(scene, 'Pixel'), await add(scene, 'Tablet')]
    await isPlain('remove', devices.remove(user, (await named(scene, 'Pixel')).id))
    for (const instance of [first, second])
      await isRefused(instance, user, await scene.codeFor(pixel))
    for (const one of [secret, tablet])
      assert.equal(await second.verify(user, await scene.codeFor(one)), true)
    assert.equal(await second.verify(user, at(recovery, 0)), true)
  },
  'the device of the set-up can be removed when there is another': async (scene) => {
    const { devices, first, second, user } = scene
    const { secret, recovery } = await enable(scene)
    const [pixel, tablet] = [await add(scene, 'Pixel'), await add(scene, 'Tablet')]
    const used = await scene.codeFor(pixel)
    assert.equal(await first.verify(user, used), true)
    assert.equal(await devices.remove(user, at(await devices.list(user), 0).id), true)
    await isRefused(second, user, await scene.codeFor(secret))
    await isRefused(second, user, used)
    assert.equal(await second.verify(user, await scene.codeFor(tablet)), true)
    await scene.advance(scene.periodSeconds)
    assert.equal(await second.verify(user, await scene.codeFor(pixel)), true)
    assert.equal(await second.verify(user, at(recovery, 0)), true)
    assert.equal(await devices.remove(user, (await named(scene, 'Tablet')).id), true)
    assert.equal(await devices.remove(user, (await named(scene, 'Pixel')).id), false)
  },
  'a device that is unknown or removed already is not removed': async (scene) => {
    const { devices, others, user } = scene
    await enable(scene)
    await add(scene, 'Pixel')
    const { id } = await named(scene, 'Pixel')
    for (const other of ['', 'x', '0', '__proto__', '%', '\0']) {
      assert.equal(await devices.remove(user, other), false)
    }
    assert.equal(await devices.remove(user, id), true)
    assert.equal(await others.remove(user, id), false)
    assert.equal((await others.list(user)).length, 1)
  },
  [`of ${PARALLEL} removals at once that leave no device, none takes the last`]: async (scene) => {
    const { first, second, user } = scene
    const { secret } = await enable(scene)
    const pixel = await add(scene, 'Pixel')
    const [one, other] = await scene.devices.list(user)
    const removed = await Promise.all(
      instances(scene).map(async ({ devices }, index) =>
        devices?.remove(user, (index % 4 < 2 ? one : other)?.id ?? ''),
      ),
    )
    assert.equal(removed.filter(Boolean).length, 1)
    assert.equal((await scene.others.list(user)).length, 1)
    const codes = [await scene.codeFor(secret), await scene.codeFor(pixel)]
    const accepted = [
      await first.verify(user, codes[0] ?? ''),
      await second.verify(user, codes[1] ?? ''),
    ]
    assert.equal(accepted.filter(Boolean).length, 1, `${accepted.filter(Boolean).length} log in`)
  },
  [`of more than ${MAX_DEVICES} devices that are added at once, ${MAX_DEVICES} stay`]: async (
    scene,
  ) => {
    const { user } = scene
    const { secret } = await enable(scene)
    const secrets: string[] = []
    for (let count = 0; count < PARALLEL; count += 1) secrets.push(await prepared(scene))
    const added = await Promise.all(
      instances(scene).map(async ({ devices }, index) =>
        devices?.add(user, { secret: at(secrets, index), name: `device ${index}` }),
      ),
    )
    assert.equal(added.filter(Boolean).length, MAX_DEVICES - 1)
    await scene.advance(2 * scene.periodSeconds)
    const right = [secret, ...secrets.filter((_, index) => added[index] === true)]
    assert.equal((await scene.others.list(user)).length, MAX_DEVICES)
    for (const one of right)
      assert.equal(await scene.second.verify(user, await scene.codeFor(one)), true)
  },
  [`a device beyond ${MAX_DEVICES} is not added, until another is removed`]: async (scene) => {
    const { devices, user } = scene
    await full(scene)
    const secret = await prepared(scene)
    assert.equal(await devices.add(user, { secret, name: 'sixth' }), false)
    await scene.advance(2 * scene.periodSeconds)
    await isRefused(scene.second, user, await scene.codeFor(secret))
    assert.equal(await devices.remove(user, (await named(scene, 'device 2')).id), true)
    await add(scene, 'sixth')
  },
  [`of ${PARALLEL} uses of a further device's code at once one is accepted`]: async (scene) => {
    await enable(scene)
    const secret = await add(scene, 'Pixel')
    assert.equal(await acceptedAtOnce(scene, await scene.codeFor(secret)), 1)
  },
  'codes of different devices that are used at once are each accepted': async (scene) => {
    const secrets = [(await enable(scene)).secret]
    for (const name of ['a', 'b', 'c', 'd']) secrets.push(await add(scene, name))
    await areAccepted(scene, await Promise.all(secrets.map(async (one) => scene.codeFor(one))))
  },
  'a code is refused once its device is removed while it is checked': async (scene) => {
    const { devices, user } = scene
    await enable(scene)
    const secret = await add(scene, 'Pixel')
    const { id } = await named(scene, 'Pixel')
    const code = await scene.codeFor(secret)
    const checks = Promise.all(
      instances(scene).map(async (instance) => instance.verify(user, code)),
    )
    await devices.remove(user, id)
    assert.ok((await checks).filter(Boolean).length <= 1, 'the code was accepted twice')
    await scene.advance(scene.periodSeconds)
    await isRefused(scene.second, user, await scene.codeFor(secret))
    assert.equal((await devices.list(user)).length, 1, 'the device came back')
  },
  'disabling ends every device, which does not come back': async (scene) => {
    const { first, second, user } = scene
    await enable(scene)
    const secret = await add(scene, 'Pixel')
    await first.disable(user)
    assert.deepEqual(await scene.others.list(user), [])
    await isRefused(second, user, await scene.codeFor(secret))
    await enable(scene)
    assert.equal((await scene.others.list(user)).length, 1)
    await isRefused(second, user, await scene.codeFor(secret))
  },
  'the devices of one user are not those of another': async (scene) => {
    const { devices, second, user, otherUser } = scene
    await enable(scene)
    await enable(scene, otherUser)
    const secret = await add(scene, 'Pixel')
    assert.equal((await devices.list(otherUser)).length, 1)
    await isRefused(second, otherUser, await scene.codeFor(secret))
    assert.equal(await devices.remove(otherUser, (await named(scene, 'Pixel')).id), false)
    assert.equal(await second.verify(user, await scene.codeFor(secret)), true)
  },
})
