import { isBuiltin } from 'node:module'

/** Database of the users and of the sessions. */
export type InitDatabase = 'sqlite' | 'postgres' | 'mysql'

/** The part of the service's file that depends on the database. */
export interface DatabaseText {
  /** Packages that the code needs. */
  readonly packages: readonly string[]
  /** Packages with the types of those, for TypeScript. */
  readonly types: readonly string[]
  readonly imports: readonly string[]
  /** Opens the database. What checks the address comes first. */
  readonly open: readonly string[]
  /** The call of the function that creates users. */
  readonly users: string
  /** The option of the service. */
  readonly stores: string
  /** The function that creates the store of second factors. */
  readonly factors: string
}

/** Addresses to start from, of the databases that are servers. */
export const urls = {
  postgres: 'postgres://user:password@localhost:5432/app',
  mysql: 'mysql://user:password@localhost:3306/app',
} as const

/** Clients whose databases init cannot open, and what they are called. */
const OTHERS: Readonly<Record<string, string>> = {
  '@prisma/client': 'Prisma',
  'drizzle-orm': 'Drizzle',
  kysely: 'Kysely',
  postgres: 'Postgres.js',
}

/** Returns the clients of an application for which its users are written by hand. */
export function otherClientsOf(dependencies: ReadonlySet<string>): readonly string[] {
  return Object.entries(OTHERS).flatMap(([name, title]) => (dependencies.has(name) ? [title] : []))
}

/** The parts of the code for one database; the functions of `@svc/auth` bear its name. */
interface DatabaseOpening extends Pick<DatabaseText, 'packages' | 'types' | 'open'> {
  /** Imports the driver; `null`: `@svc/auth` opens the database. */
  readonly driver: string | null
}

/** SQLite by the driver of Node, or by the one that the stores load instead on Node 20. */
const ownSqlite: DatabaseOpening = {
  packages: isBuiltin('node:sqlite') ? [] : ['better-sqlite3'],
  types: [],
  driver: null,
  open: ["const database = openSqlite(process.env.DATABASE_FILE ?? 'panel.db')"],
}

const openings: Readonly<Record<InitDatabase, DatabaseOpening>> = {
  sqlite: {
    packages: ['better-sqlite3'],
    types: ['@types/better-sqlite3'],
    driver: "import Database from 'better-sqlite3'",
    open: ["const database = new Database(process.env.DATABASE_FILE ?? 'panel.db')"],
  },
  postgres: {
    packages: ['pg'],
    types: ['@types/pg'],
    driver: null,
    open: [
      "const database = await openPostgres(process.env.DATABASE_URL ?? '')",
      'const stores = await postgresStores(database.pool)',
    ],
  },
  mysql: {
    packages: ['mysql2'],
    types: [],
    driver: "import { createPool } from 'mysql2/promise'",
    open: [
      "const address = process.env.DATABASE_URL ?? ''",
      'const stores = await mysqlStores(address)',
      'const database = createPool({ uri: address, connectTimeout: 5000 })',
    ],
  },
}

export const databaseNames = Object.keys(openings) as readonly InitDatabase[]

/** Returns the database whose driver an application depends on. */
export function databaseOf(dependencies: ReadonlySet<string>): InitDatabase {
  const isUsed = (name: InitDatabase): boolean =>
    openings[name].packages.some((driver) => dependencies.has(driver))
  return databaseNames.find(isUsed) ?? 'sqlite'
}

/**
 * Returns the code for a database. An application that uses better-sqlite3 keeps to it: two copies
 * of SQLite in one process can damage a file that both open.
 */
export function databaseText(
  database: InitDatabase,
  dependencies: ReadonlySet<string>,
): DatabaseText {
  const usesOwn = database === 'sqlite' && !dependencies.has('better-sqlite3')
  const { driver, ...opening } = usesOwn ? ownSqlite : openings[database]
  const stores = `${database}Stores`
  const opener = `open${database.charAt(0).toUpperCase()}${database.slice(1)}`
  return {
    ...opening,
    imports: [
      ...(driver === null ? [] : [driver]),
      `import { ${driver === null ? `${opener}, ` : ''}${stores} } from '@svc/auth/${database}'`,
      `import { ${database}Users } from '@svc/auth/users'`,
    ],
    users: `${database}Users(database, `,
    stores: database === 'sqlite' ? `stores: ${stores}(database),` : 'stores,',
    factors: `${database}Factors`,
  }
}
