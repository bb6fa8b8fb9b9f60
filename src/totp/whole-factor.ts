import { isCutOff } from '../users/tables/row-values.ts'
import type { FactorStore } from './factor-store.ts'

/**
 * Wraps `enable`, so that a factor is read again once it is stored. MySQL without
 * `STRICT_TRANS_TABLES` cuts off what does not fit into a column, and the user could enter no code.
 */
export function enableWhole({
  enable,
  read,
  disable,
}: Pick<FactorStore, 'enable' | 'read' | 'disable'>): FactorStore['enable'] {
  return async (id, factor) => {
    if (!(await enable(id, factor))) return false
    const stored = await read(id)
    const cut = (['secret', 'recoveryCodes', 'devices'] as const).find((name) =>
      isCutOff(stored?.[name], factor[name]),
    )
    if (cut === undefined) return true
    await disable(id)
    throw new Error(`the column of \`${cut}\` did not store the whole text: make it a text`)
  }
}
