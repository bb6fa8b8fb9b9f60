import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'

export const database = openSqlite('panel.db')
export const memory = memoryStores()
export const sqlite = sqliteStores(database)
export const openMysql = async () => mysqlStores('mysql://localhost/panel')
export const open = async () => openPostgres('postgres://localhost/panel')
export const openStores = async () => postgresStores('postgres://localhost/panel')
export const openRedis = openRedisStores
