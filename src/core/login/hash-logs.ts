import type { Logger } from '../../contracts/host.ts'
import { createHashWarning } from './hash-warning.ts'
import type { LoginParts } from './login-parts.ts'
import { createRenewalLog } from './renewal-log.ts'

/** Creates what logs hashes that cannot be verified or renewed. */
export function createHashLogs(
  logger: Logger,
): Pick<LoginParts<unknown>, 'warnOfHash' | 'renewalLog'> {
  return { warnOfHash: createHashWarning(logger), renewalLog: createRenewalLog(logger) }
}
