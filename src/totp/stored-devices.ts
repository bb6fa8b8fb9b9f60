import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { EpochMs } from '../contracts/host.ts'
import { escaped } from '../rules/printable.ts'
import type { StoredFactor } from './factor-store.ts'

/** A device of a user. */
export interface Device {
  readonly id: string
  /** `null`: that of the set-up has no name. */
  readonly name: string | null
  /** `null`: it was enabled before devices were kept. */
  readonly addedAt: EpochMs | null
  /** In its stored form. */
  readonly secret: string
  /** `null`: unknown. */
  readonly lastStep: number | null
}

type First = Omit<Device, 'secret' | 'lastStep'>

/** Returns the device of a set-up. Only its user meets its id. */
function firstDevice(addedAt: EpochMs | null): First {
  return { id: 'first', name: null, addedAt }
}

/** Returns the id of a further device. */
export const newDeviceId = (): string => randomUUID()

const time = v.nullable(v.number())
const first = { id: v.string(), name: v.nullable(v.string()), addedAt: time }
const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.tupleWithRest(
    [v.object(first)],
    v.object({ ...first, secret: v.string(), lastStep: v.nullable(v.number()) }),
  ),
)

/**
 * Returns the devices of a user, the first one first. Its secret and its last step are those of the
 * factor, so that a node of an older version, which knows no others, accepts its codes.
 *
 * @throws {Error} The stored text was damaged. It is left out of the message, which is logged.
 */
export function devicesOf(factor: StoredFactor, userId: string): readonly Device[] {
  const { secret, lastStep = null, devices = null } = factor
  if (secret === null) return []
  const [one, ...others] = devices === null ? [firstDevice(null)] : parsed(devices, userId)
  return [{ ...one, secret, lastStep }, ...others]
}

function parsed(devices: string, userId: string): readonly [First, ...Device[]] {
  const { success, output } = v.safeParse(stored, devices)
  if (success) return output
  throw new Error(`the stored devices of the user ${userId} are not a list of devices`)
}

/**
 * Returns the stored form of devices, of which there is at least one. It is ASCII: a database or a
 * connection whose character set lacks a character of a name would refuse the text or change it.
 */
export function storedDevices([one, ...others]: readonly (First | Device)[]): string {
  const { id, name, addedAt } = one ?? firstDevice(null)
  return JSON.stringify([{ id, name, addedAt }, ...others]).replace(/[^\0-\x7f]/gu, escaped)
}

/** Returns the stored form of the only device of a user who enables the second factor. */
export function onlyDevice(now: EpochMs): string {
  return storedDevices([firstDevice(now)])
}
