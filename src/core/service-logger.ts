import { withoutValues } from '../contracts/driver-errors.ts'
import type { Logger } from '../contracts/host.ts'
import { createStandardErrorLogger } from './standard-error.ts'

/** Aborted when the service begins to close, and once it has closed. */
export type Lifetime = Readonly<Record<'closing' | 'closed', AbortController>>

/**
 * Creates the logger of a service. It receives no statement and no parameter that a driver's error
 * carries, and no failure once the service has closed: a request that the server has dropped may
 * still be running, and finds the host's pool closed.
 *
 * @param own The host's. Default: JSON lines on standard error.
 */
export function createServiceLogger(
  own: Logger | undefined,
  { closing, closed }: Lifetime,
): Logger {
  const logger = own ?? createStandardErrorLogger(closing.signal)
  const safe = (level: keyof Logger): Logger['error'] => {
    return (fields, message) => {
      const isFailure = 'err' in fields
      if (isFailure && closed.signal.aborted) return
      logger[level](isFailure ? { ...fields, err: withoutValues(fields.err) } : fields, message)
    }
  }
  return { warn: safe('warn'), error: safe('error') }
}
