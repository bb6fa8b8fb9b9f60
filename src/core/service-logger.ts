import { withoutValues } from '../contracts/driver-errors.ts'
import type { Logger } from '../contracts/host.ts'
import { checked } from './boundary/checked.ts'
import { logger as loggerContract } from './boundary/checked-host.ts'
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
  const standardError = createStandardErrorLogger(closing.signal)
  const logger = own === undefined ? standardError : checked(own, loggerContract)
  const safe = (level: keyof Logger): Logger['error'] => {
    return (fields, message) => {
      const isFailure = 'err' in fields
      if (isFailure && closed.signal.aborted) return
      const logged = isFailure ? { ...fields, err: withoutValues(fields.err) } : fields
      // A logger that fails, at once or later, must neither fail the request nor lose the line.
      const onFailure = (): void => standardError[level](logged, message)
      void (async () => logger[level](logged, message))().catch(onFailure)
    }
  }
  return { warn: safe('warn'), error: safe('error') }
}
