/** The entry `@svc/auth/users`: user providers for ordinary users tables. */
export { drizzleUsers } from './drizzle-users.ts'
export type { DrizzleDatabase, DrizzleOperators, DrizzleTable } from './drizzle-users.ts'
export { kyselyUsers } from './kysely-users.ts'
export type { KyselyDatabase } from './kysely-users.ts'
export { mysqlUsers } from './mysql-users.ts'
export type { MysqlQueries, MysqlValue } from './mysql-users.ts'
export { postgresUsers } from './postgres-users.ts'
export type { PostgresLender, PostgresQueries, PostgresResult } from './postgres-users.ts'
export { prismaUsers } from './prisma-users.ts'
export type { PrismaModel, PrismaTable } from './prisma-users.ts'
export { sqliteUsers } from './sqlite-users.ts'
export type {
  FixedValue,
  TableUser,
  UserColumns,
  UserTable,
  UserTableOptions,
  UserWith,
} from './table-options.ts'
export type { TableUsers } from './table-users.ts'
