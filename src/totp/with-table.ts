import type { Awaitable } from '../contracts/host.ts'
import { ConfigError } from '../contracts/errors.ts'
import { areMigrationsForbidden, type MigratedTables } from '../contracts/migrated.ts'
import { hasCode } from '../users/tables/row-values.ts'
import type { FactorStore } from './factor-store.ts'
import { FACTOR_TABLE } from './factor-schema.ts'

/** The statements that make the table and its later versions, in their order. */
export type Migrations = readonly (() => Awaitable<unknown>)[]

/**
 * Adds the creation of the table to a store.
 *
 * @param isLazy `true`: also with the first statement that needs it, not only by `svc migrate`.
 */
export function withTable(
  store: FactorStore,
  migrations: Migrations,
  isLazy: boolean,
): FactorStore {
  let ready: Promise<boolean> | null = null
  async function untilReady(): Promise<boolean> {
    ready ??= ensureTable(store, migrations, isLazy)
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
    migrate: async () => migratedBy(store, migrations),
  }
}

/** Returns false where the table is missing and must not be created. */
async function ensureTable(
  store: FactorStore,
  migrations: Migrations,
  isLazy: boolean,
): Promise<boolean> {
  const version = await versionOf(store, migrations)
  if (version === migrations.length) return true
  const isForbidden = areMigrationsForbidden()
  // A command that only looks finds nobody with a second factor.
  if (isForbidden && version === 0) return false
  if (isForbidden || !isLazy) {
    const fault = version === 0 ? 'is missing' : 'has no column devices'
    throw new ConfigError(`the table ${FACTOR_TABLE} ${fault}: run \`svc migrate\``)
  }
  await migrateFrom(version, store, migrations)
  return true
}

async function migratedBy(store: FactorStore, migrations: Migrations): Promise<MigratedTables> {
  const tables = `The table of second factors (${FACTOR_TABLE})`
  const [from, to] = [await versionOf(store, migrations), migrations.length]
  if (from === to) return { tables, from, to }
  if (areMigrationsForbidden()) return { tables, from, to, isPending: true }
  await migrateFrom(from, store, migrations)
  return { tables, from, to }
}

async function migrateFrom(
  version: number,
  store: FactorStore,
  migrations: Migrations,
): Promise<void> {
  for (const [index, migrate] of migrations.entries()) {
    if (index < version) continue
    try {
      await migrate()
    } catch (error) {
      // Of two nodes that start together, the database refuses one.
      if ((await versionOf(store, migrations)) <= index) throw error
    }
  }
}

/** Returns the version of the table; 0 if it is missing. */
async function versionOf(store: FactorStore, migrations: Migrations): Promise<number> {
  try {
    await store.read('')
    return migrations.length
  } catch (error) {
    if (isMissing(error, 'table')) return 0
    if (isMissing(error, 'column')) return 1
    throw error
  }
}

/** The ways in which PostgreSQL, MySQL and SQLite report that something is missing. */
const MISSING = {
  table: { codes: new Set(['42P01', 'ER_NO_SUCH_TABLE']), text: /no such table/ },
  column: { codes: new Set(['42703', 'ER_BAD_FIELD_ERROR']), text: /no such column/ },
} as const

function isMissing(error: unknown, what: keyof typeof MISSING): boolean {
  const { codes, text } = MISSING[what]
  if (!(error instanceof Error)) return false
  return hasCode(error, codes) || text.test(error.message) || isMissing(error.cause, what)
}
