/** The entry `@svc/auth/users`: user providers for ordinary users tables. */
export type {
  FixedValue,
  TableUser,
  UserColumns,
  UserTable,
  UserTableOptions,
  UserWith,
} from './table-options.ts'
export { postgresUsers } from './postgres-users.ts'
export type { PostgresLender, PostgresQueries, PostgresResult } from './postgres-users.ts'
export { sqliteUsers } from './sqlite-users.ts'
export type { TableUsers } from './table-users.ts'
