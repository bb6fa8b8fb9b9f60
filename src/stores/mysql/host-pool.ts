/** A statement with the options of the pool that the stores override. */
export interface MysqlQuery {
  readonly sql: string
  readonly values?: (string | Buffer | null)[]
  readonly rowsAsArray?: boolean
  readonly nestTables?: boolean
  readonly namedPlaceholders?: boolean
  readonly typeCast?: (field: { readonly type: string }, next: () => unknown) => unknown
}

/** A checked-out connection with the members that the stores use. */
export interface MysqlConnection {
  execute(query: MysqlQuery): Promise<readonly [unknown, ...unknown[]]>
  query(query: MysqlQuery): Promise<readonly [unknown, ...unknown[]]>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  release(): void
  destroy(): void
  /** The driver's own connection, which the pool keeps. */
  readonly connection: object
}

/** A pool of connections: one of `mysql2/promise` fits; of `mysql2`, give `pool.promise()`. */
export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>
}

/**
 * Returns the fault of a pool of `mysql2` with callbacks, or `null`. That of a cluster has no
 * `promise`, and would end the process, as it calls what no caller gave.
 */
export function callbackFault(pool: object): string | null {
  if ('promise' in pool) return 'is a pool with callbacks; give pool.promise()'
  return '_cluster' in pool
    ? 'is a pool of a cluster with callbacks; give one of createPoolCluster of mysql2/promise'
    : null
}
