/*
 * A log that nobody reads must not fill the memory with lines that wait, so they are dropped.
 */

/**
 * Logs a failure to standard error, as one line that a terminal only shows: it may quote a request
 * or a server.
 */
export function logFailure(line: string): void {
  if (process.stderr.writableNeedDrain) return
  console.error(line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '))
}

/** Logs an event to standard output. */
export function logEvent(line: string): void {
  if (!process.stdout.writableNeedDrain) console.log(line)
}
