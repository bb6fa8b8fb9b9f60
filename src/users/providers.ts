/** The entry `@svc/auth/users`: user providers for ordinary users tables. */
export { drizzleUsers, prismaUsers } from './builder-users.ts'
export type { DrizzleTable, PrismaTable } from './builder-users.ts'
export { kyselyUsers, mysqlUsers, postgresUsers, sqliteUsers } from './sql-users.ts'
export type { DrizzleDatabase, DrizzleOperators } from './tables/drizzle-rows.ts'
export type { KyselyDatabase } from './tables/kysely-rows.ts'
export type { MysqlQueries, MysqlValue } from './tables/mysql-rows.ts'
export type { PostgresLender, PostgresQueries, PostgresResult } from './tables/postgres-rows.ts'
export type { PrismaModel } from './tables/prisma-rows.ts'
export type {
  FixedValue,
  NamedUser,
  TableUser,
  UserColumns,
  UserTable,
  UserTableOptions,
  UserWith,
} from './table-options.ts'
export type { TableUsers } from './table-users.ts'
