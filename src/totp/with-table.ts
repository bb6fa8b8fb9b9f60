import type { Awaitable } from '../contracts/host.ts'
import { ConfigError } from '../contracts/errors.ts'
import { areMigrationsForbidden, type MigratedTables } from '../contracts/migrated.ts'
import type { FactorStore } from './factor-store.ts'
import { FACTOR_TABLE } from './factor-schema.ts'

/**
 * Adds the creation of the table to a store.
 *
 * @param isLazy `true`: also with the first statement that needs it, not only by `svc migrate`.
 */
export function withTable(
  store: FactorStore,
  create: () => Awaitable<unknown>,
  isLazy: boolean,
): FactorStore {
  let ready: Promise<boolean> | null = null
  async function untilReady(): Promise<boolean> {
    ready ??= ensureTable(store, create, isLazy)
    // After a failure the next statement tries again.
    return ready.catch((error: unknown) => {
      ready = null
      throw error
    })
  }
  return {
    ...store,
    read: async (id) => ((await untilReady()) ? store.read(id) : null),
    enable: async (id, factor) => untilReady().then(() => store.enable(id, factor)),
    disable: async (id) => untilReady().then(() => store.disable(id)),
    migrate: async () => migratedBy(store, create),
  }
}

/** Returns false where the table is missing and must not be created. */
async function ensureTable(
  store: FactorStore,
  create: () => Awaitable<unknown>,
  isLazy: boolean,
): Promise<boolean> {
  if (await hasTable(store)) return true
  // A command that only looks finds nobody with a second factor.
  if (areMigrationsForbidden()) return false
  if (!isLazy) throw new ConfigError(`the table ${FACTOR_TABLE} is missing: run \`svc migrate\``)
  await createOnce(store, create)
  return true
}

async function migratedBy(
  store: FactorStore,
  create: () => Awaitable<unknown>,
): Promise<MigratedTables> {
  const tables = `The table of second factors (${FACTOR_TABLE})`
  if (await hasTable(store)) return { tables, from: 1, to: 1 }
  if (areMigrationsForbidden()) return { tables, from: 0, to: 1, isPending: true }
  await createOnce(store, create)
  return { tables, from: 0, to: 1 }
}

async function createOnce(store: FactorStore, create: () => Awaitable<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    // Of two nodes that start together, PostgreSQL refuses one.
    if (!(await hasTable(store))) throw error
  }
}

async function hasTable(store: FactorStore): Promise<boolean> {
  try {
    await store.read('')
    return true
  } catch (error) {
    if (isMissingTable(error)) return false
    throw error
  }
}

/** Returns whether a statement failed for a missing table: by PostgreSQL, MySQL or SQLite. */
function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Object(error).code
  if (code === '42P01' || code === 'ER_NO_SUCH_TABLE') return true
  return /no such table/.test(error.message) || isMissingTable(error.cause)
}
