/*
 * A log that nobody reads must not fill the memory with lines that wait, so they are dropped.
 */

/** Logs a failure to standard error. */
export function logFailure(line: string): void {
  if (!process.stderr.writableNeedDrain) console.error(line)
}

/** Logs an event to standard output. */
export function logEvent(line: string): void {
  if (!process.stdout.writableNeedDrain) console.log(line)
}
