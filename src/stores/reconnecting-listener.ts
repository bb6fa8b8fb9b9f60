import { StoreError } from '../contracts/errors.ts'
import { times } from '../rules/limits.ts'
import { fullJitterMs } from './backoff.ts'

/** The connection that a bus opens to receive messages. */
export interface ListeningConnection {
  /**
   * Opens the connection and subscribes.
   *
   * @param onLost Called once, when an open connection has ended by other means than `close`.
   * @returns a function that closes the connection.
   */
  readonly open: (onLost: () => void) => Promise<() => void>
  /** Called when the connection is open again after a time in which messages may have been lost. */
  readonly onReconnect: () => void
}

interface ListenerState {
  /** The open connection, or the attempt in progress; `null` between attempts. */
  connection: Promise<() => void> | null
  /** The next attempt after a loss; `null` when none is scheduled. */
  retry: NodeJS.Timeout | null
  /** The number of attempts scheduled since the connection was last open. */
  failures: number
  /** True once a connection has been lost. Every later one then follows a gap. */
  hasLost: boolean
  isClosed: boolean
}

/**
 * Creates the listener, which keeps one subscribing connection open from the first subscription on.
 * A lost connection is opened again after a random time that grows with every failure, because all
 * nodes lose it at the same moment.
 */
export function createReconnectingListener(connection: ListeningConnection) {
  const state: ListenerState = {
    connection: null,
    retry: null,
    failures: 0,
    hasLost: false,
    isClosed: false,
  }
  return {
    /**
     * Resolves when the connection is open. Opens it on the first call, and at once when it is lost
     * and still waiting for its next attempt.
     *
     * @throws {StoreError} The stores are closed.
     * @throws The error of `open`. Before the connection was first open, only the next call tries
     *   again.
     */
    listening: async () => listening(state, connection),
    /** Closes the connection for good. Idempotent. */
    close() {
      state.isClosed = true
      state.connection?.then((close) => close()).catch(() => undefined)
    },
  }
}

async function listening(state: ListenerState, connection: ListeningConnection): Promise<void> {
  if (state.isClosed) throw new StoreError('the stores are closed')
  await (state.connection ??= connect(state, connection))
}

async function connect(state: ListenerState, connection: ListeningConnection): Promise<() => void> {
  let hasEnded = false
  const onLost = (): void => {
    hasEnded = true
    state.connection = null
    state.hasLost = true
    scheduleRetry(state, connection)
  }
  try {
    const close = await connection.open(onLost)
    if (!hasEnded) settleOpen(state, connection)
    return close
  } catch (error) {
    state.connection = null
    if (state.hasLost) scheduleRetry(state, connection)
    throw error
  }
}

function settleOpen(state: ListenerState, { onReconnect }: ListeningConnection): void {
  state.failures = 0
  // A subscriber may have opened it before the scheduled attempt.
  if (state.retry !== null) clearTimeout(state.retry)
  state.retry = null
  if (state.hasLost) onReconnect()
}

/** Schedules the next attempt, unless one is scheduled already. */
function scheduleRetry(state: ListenerState, connection: ListeningConnection): void {
  if (state.retry !== null) return
  const delayMs = fullJitterMs(times.busRetrySeconds, state.failures)
  state.failures += 1
  state.retry = setTimeout(() => {
    state.retry = null
    // A failure schedules the next attempt; the closed listener refuses this one.
    listening(state, connection).catch(() => undefined)
  }, delayMs).unref()
}
