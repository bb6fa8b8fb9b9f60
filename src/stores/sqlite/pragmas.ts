import { times } from '../../rules/limits.ts'
import type { SqliteHandle } from './driver.ts'

/** The busy timeout of a start, before requests are served. */
export const START_WAIT_MS = times.deadlineSeconds * 1000

/** The busy timeout of the host's statements. Other connections hold their locks only briefly. */
export const WAIT_MS = 50

// Frequent and short: the 1,000 pages of SQLite's default would delay every request by more than
// ten milliseconds.
const CHECKPOINT_PAGES = 100

// FULL: a logout and a counted attempt must survive a power failure.
export const FILE_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA synchronous = FULL`

/** For the connection of the thread that writes: the lock is awaited outside SQLite. */
export const THREAD_SETTINGS = `
  PRAGMA busy_timeout = 0;
  PRAGMA synchronous = FULL`

/**
 * The settings of the event loop's connection, by whether a thread writes the same file. The
 * statements of the host then wait for the thread, and only the thread runs checkpoints.
 */
export const besideThread = {
  yes: { busyTimeoutMs: times.storeSeconds * 1000, checkpointPages: 0 },
  no: { busyTimeoutMs: WAIT_MS, checkpointPages: CHECKPOINT_PAGES },
} as const

/** Returns the number to which a pragma of a connection is set. */
export function numberOf(handle: SqliteHandle, pragma: string): number {
  const row = handle.prepare(`PRAGMA ${pragma}`).get()
  return typeof row === 'object' && row !== null ? Number(Object.values(row)[0]) : 0
}

/** Runs a step with another busy timeout of the connection, in milliseconds. */
export function withBusyTimeout<Result>(
  handle: SqliteHandle,
  milliseconds: number,
  step: () => Result,
): Result {
  const before = numberOf(handle, 'busy_timeout')
  handle.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  try {
    return step()
  } finally {
    handle.exec(`PRAGMA busy_timeout = ${before}`)
  }
}
