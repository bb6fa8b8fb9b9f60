import type { Logger } from '../../contracts/host.ts'
import { createFailureLog } from './failure-log.ts'
import { createHashWarning } from './hash-warning.ts'
import type { LoginParts } from './login-parts.ts'

/** Creates the logs of hashes that cannot be verified, renewed or paid for, and the renewals. */
export function createHashLogs(
  logger: Logger,
): Pick<LoginParts, 'warnOfHash' | 'renewals' | 'renewalLog' | 'refusalLog'> {
  return {
    renewals: new Map(),
    warnOfHash: createHashWarning(logger),
    renewalLog: createFailureLog(
      logger,
      'auth.hash_not_renewed',
      'a new password hash could not be made or stored, so the old one stays: let the service update its column, or leave out `rehash`',
    ),
    refusalLog: createFailureLog(
      logger,
      'auth.refusal_shortened',
      'a login was refused sooner than others: this node is too slow for the hashes in use, or its hashing process ended',
    ),
  }
}
