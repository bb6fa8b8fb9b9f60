/** The entry `@svc/auth/users`: user providers for ordinary users tables. */
export { drizzleUsers } from './drizzle-users.ts'
export type { DrizzleTable } from './drizzle-users.ts'
export type { DrizzleDatabase, DrizzleOperators } from '../tables/drizzle-rows.ts'
export { kyselyUsers } from './kysely-users.ts'
export type { KyselyDatabase } from '../tables/kysely-rows.ts'
export { mysqlUsers } from './mysql-users.ts'
export type { MysqlQueries, MysqlValue } from '../tables/mysql-rows.ts'
export { postgresUsers } from './postgres-users.ts'
export type { PostgresLender, PostgresQueries, PostgresResult } from '../tables/postgres-rows.ts'
export { prismaUsers } from './prisma-users.ts'
export type { PrismaTable } from './prisma-users.ts'
export type { PrismaModel } from '../tables/prisma-rows.ts'
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
