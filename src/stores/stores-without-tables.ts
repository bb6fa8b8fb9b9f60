import type { Migrated } from '../contracts/migrated.ts'
import type { Stores } from '../contracts/store-contracts.ts'
import { memoryStores } from './memory/stores.ts'

/**
 * Creates the stores of a database without tables, for a command that must not create them. They
 * hold nothing, and lose what they are given.
 */
export function storesWithoutTables(pending: Migrated): Stores {
  return { ...memoryStores(), persistent: true, migrated: pending }
}
