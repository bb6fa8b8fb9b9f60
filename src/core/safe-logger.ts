import type { Logger } from '../contracts/host.ts'
import { withoutValues } from '../contracts/driver-errors.ts'

/**
 * Creates a logger that receives no statement and no parameter that a driver's error carries.
 *
 * @param closed Aborted once the service has closed. No failure is logged after that: a request
 *   that the server has dropped may still be running, and finds the host's pool closed.
 */
export function createSafeLogger(logger: Logger, closed: AbortSignal): Logger {
  const safe = (level: keyof Logger): Logger['error'] => {
    return (fields, message) => {
      const isFailure = 'err' in fields
      if (isFailure && closed.aborted) return
      logger[level](isFailure ? { ...fields, err: withoutValues(fields.err) } : fields, message)
    }
  }
  return { warn: safe('warn'), error: safe('error') }
}
