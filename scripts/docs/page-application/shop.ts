import type { sqliteStores } from '@svc/auth/sqlite'

export { config } from './config.ts'
export { users } from './users.ts'
export declare const db: Parameters<typeof sqliteStores>[0]
/** A handler of any framework. */
export declare const listOrders: () => never
