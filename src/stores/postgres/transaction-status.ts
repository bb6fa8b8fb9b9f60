/** A client of the driver. */
interface Client {
  /** Missing in older releases. */
  readonly getTransactionStatus?: () => unknown
  readonly connection?: {
    on?: (
      event: 'readyForQuery',
      listener: (message: { readonly status?: unknown }) => void,
    ) => void
  }
}

const statuses = new WeakMap<object, unknown>()

/** Follows the status of the transactions of a client before it connects. */
export function followTransactions(client: Client): void {
  client.connection?.on?.('readyForQuery', ({ status }) => statuses.set(client, status))
}

/** The letters of PostgreSQL for an open transaction, and for one in which a statement failed. */
const OPEN: ReadonlySet<unknown> = new Set(['T', 'E'])

/**
 * Returns whether a transaction is open on a client. It is unknown, and `false`, where an older
 * driver has connected the client before the stores were made.
 */
export function isInTransaction(client: Client): boolean {
  return OPEN.has(client.getTransactionStatus?.() ?? statuses.get(client))
}
