/** For the host's statements and for reads. Readers hold their locks only briefly. */
export const WAIT_MS = 50

// FULL: a logout and a counted attempt must survive a power failure. Checkpoints are frequent and
// short: the 1,000 pages of SQLite's default would delay every request by more than ten
// milliseconds.
export const FILE_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 100;
  PRAGMA synchronous = FULL`

/** For the connection of the thread that writes, where a checkpoint delays no request. */
export const THREAD_SETTINGS = `
  PRAGMA busy_timeout = 0;
  PRAGMA synchronous = FULL`
