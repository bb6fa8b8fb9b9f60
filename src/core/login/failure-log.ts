import type { Logger } from '../../contracts/host.ts'

/** Logs the failures of a step that a login goes on without. */
export type FailureLog = ReturnType<typeof createFailureLog>

/**
 * Creates the log of a step, which logs the first failure and those that follow a success: what
 * fails once may fail with every login.
 */
export function createFailureLog(logger: Logger, event: string, message: string) {
  let isFailing = false
  return {
    /**
     * Logs a failure.
     *
     * @param error `null` when the host reports that no row was changed.
     */
    failed(error: unknown) {
      if (isFailing) return
      isFailing = true
      logger.warn({ event, ...(error !== null && { err: error }) }, message)
    },
    /** Lets the next failure be logged. */
    succeeded() {
      isFailing = false
    },
  }
}
