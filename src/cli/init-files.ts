import type { Lines } from './init-frameworks.ts'

/** Database of the users and of the sessions. */
export type InitDatabase = 'sqlite' | 'postgres' | 'mysql'

interface DatabaseText {
  /** Packages that the code imports. */
  readonly packages: readonly string[]
  readonly imports: readonly string[]
  /** Opens the database. */
  readonly open: string
  /** Calls of the functions that create users and stores. */
  readonly users: string
  readonly stores: string
}

const databases: Readonly<Record<InitDatabase, DatabaseText>> = {
  sqlite: {
    packages: ['better-sqlite3'],
    imports: [
      "import Database from 'better-sqlite3'",
      "import { createPanelAuth } from '@svc/auth'",
      "import { sqliteStores } from '@svc/auth/sqlite'",
      "import { sqliteUsers } from '@svc/auth/users'",
    ],
    open: "const database = new Database(process.env['DATABASE_FILE'] ?? 'panel.db')",
    users: 'sqliteUsers(database, ',
    stores: 'sqliteStores(database)',
  },
  postgres: {
    packages: ['pg'],
    imports: [
      "import pg from 'pg'",
      "import { createPanelAuth } from '@svc/auth'",
      "import { postgresStores } from '@svc/auth/postgres'",
      "import { postgresUsers } from '@svc/auth/users'",
    ],
    open: "const database = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })",
    users: 'postgresUsers(database, ',
    stores: 'await postgresStores(database)',
  },
  mysql: {
    packages: ['mysql2'],
    imports: [
      "import { createPool } from 'mysql2/promise'",
      "import { createPanelAuth } from '@svc/auth'",
      "import { mysqlStores } from '@svc/auth/mysql'",
      "import { mysqlUsers } from '@svc/auth/users'",
    ],
    open: "const database = createPool({ uri: process.env['DATABASE_URL'] ?? '', connectTimeout: 5000 })",
    users: 'mysqlUsers(database, ',
    stores: 'await mysqlStores(database)',
  },
}

export const databaseNames = Object.keys(databases) as readonly InitDatabase[]

/** Returns the database whose driver an application depends on. */
export function databaseOf(dependencies: ReadonlySet<string>): InitDatabase {
  const hasDriver = (name: InitDatabase) => packagesOf(name).every((one) => dependencies.has(one))
  return databaseNames.find(hasDriver) ?? 'sqlite'
}

/** Returns the packages that the file of the service imports, besides this one. */
export function packagesOf(database: InitDatabase): readonly string[] {
  return databases[database].packages
}

/** Form of the file of the service. */
export interface AuthFileForm {
  readonly language: 'ts' | 'js'
  /**
   * `true` where the framework evaluates the file again when it changes: the process needs one
   * service, whose streams notify only the pages that it knows.
   */
  readonly isBundled: boolean
}

/** Returns the file that creates the service. */
export function authFile(database: InitDatabase, form: AuthFileForm): Lines {
  const { imports, open, users, stores } = databases[database]
  return [
    ...imports,
    '',
    "const url = process.env['APP_URL'] ?? 'http://localhost:3000'",
    open,
    `const stores = ${stores}`,
    '',
    '// Your users table: write the names of its columns on the right.',
    `export const users = ${users}{`,
    "  table: 'users',",
    "  columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },",
    '})',
    '',
    ...CREATE,
    '',
    ...(form.isBundled ? keptService(form) : ['export const auth = create()']),
  ]
}

const CREATE: Lines = [
  'function create() {',
  '  const auth = createPanelAuth({',
  '    config: {',
  "      app: { url, keys: [process.env['APP_KEY'] ?? ''] },",
  '      session_auth: { stateful: [new URL(url).host] },',
  "      svc: { prefix: 'admin', panels: ['main'] },",
  '    },',
  '    stores,',
  '    users,',
  '  })',
  '  setInterval(() => void auth.prune().catch(console.error), 60_000).unref()',
  "  process.once('SIGTERM', () => void auth.close())",
  '  return auth',
  '}',
]

function keptService({ language }: AuthFileForm): Lines {
  const type = language === 'ts' ? ' as { panelAuth?: ReturnType<typeof create> }' : ''
  return [
    '// This file is evaluated again when it changes, but the process needs one service.',
    `const kept = globalThis${type}`,
    'export const auth = (kept.panelAuth ??= create())',
  ]
}

/** Returns the configuration of the command `svc`. */
export function commandFile(authModule: string): Lines {
  return [
    "import { defineConfig } from '@svc/auth'",
    `import { auth, users } from '${authModule}'`,
    '',
    'export default defineConfig({ auth, users })',
  ]
}
