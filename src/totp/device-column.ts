import type { Condition, TableRows } from '../users/tables/table-rows.ts'
import { isChanged } from './exact-rows.ts'
import type { FactorStore } from './factor-store.ts'

/**
 * The column of the devices of a user: one text, so that one statement compares and replaces all of
 * them, on every kind of handle.
 */
export const DEVICES = 'devices'

/** Creates the replacement of devices. */
export function deviceReplacer(
  columns: Readonly<Record<'userId' | 'secret' | 'lastStep', string>>,
  rows: TableRows,
): NonNullable<FactorStore['replaceDevices']> {
  const read: readonly Condition[] = [
    { column: columns.userId, is: 'equal' },
    { column: columns.secret, is: 'same' },
  ]
  const changeOf = (set: readonly string[]) => ({
    one: rows.update(set, [...read, { column: DEVICES, is: 'null' }]),
    several: rows.update(set, [...read, { column: DEVICES, is: 'same' }]),
  })
  const [rest, all] = [changeOf([DEVICES]), changeOf([DEVICES, columns.secret, columns.lastStep])]
  return async (id, { secret, devices: before = null }, { devices, first }) => {
    const { one, several } = first === null ? rest : all
    const set = first === null ? [devices] : [devices, first.secret, first.lastStep]
    const changed =
      before === null ? one([...set, id, secret]) : several([...set, id, secret, before])
    return isChanged(await changed)
  }
}
