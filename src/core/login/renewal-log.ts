import type { Logger } from '../../contracts/host.ts'

/** Logs the renewals of hashes that fail. */
export interface RenewalLog {
  /**
   * Logs a failure.
   *
   * @param error `null` when the host reports that no row was changed.
   */
  failed(error: unknown): void
  /** Lets the next failure be logged. */
  succeeded(): void
}

/**
 * Creates the log of renewals, which logs the first failure and those that follow a success: a role
 * that may only read fails with every login.
 */
export function createRenewalLog(logger: Logger): RenewalLog {
  let isFailing = false
  return {
    failed(error) {
      if (isFailing) return
      isFailing = true
      logger.warn(
        { event: 'auth.hash_not_renewed', ...(error !== null && { err: error }) },
        'the new hash of a password could not be stored, so the old one stays and the login goes on: let the service update its column, or leave `rehash` out of the user provider',
      )
    },
    succeeded() {
      isFailing = false
    },
  }
}
