import { mysqlUsers, postgresUsers, prismaUsers, sqliteUsers } from '@svc/auth/users'

declare const database: Parameters<typeof sqliteUsers>[0]
declare const pool: Parameters<typeof postgresUsers>[0]
declare const mysql: Parameters<typeof mysqlUsers>[0]
declare const model: Parameters<typeof prismaUsers>[0]

const table = 'users'
const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const
const otherColumns = { role: 'role' } as const

export const users = sqliteUsers(database, { table, columns })
export const staff = postgresUsers(pool, { table, columns, otherColumns })
export const named = mysqlUsers(mysql, { table, columns, present: ({ id }) => ({ id }) })
export const ofModel = prismaUsers(model, { columns, otherColumns })
export const find = async (email: string) => users.findByEmail(email)
