import { withoutValues } from '../../contracts/driver-errors.ts'
import type { Logger } from '../../contracts/host.ts'
import { checked } from '../boundary/checked.ts'
import { logger as loggerContract } from '../boundary/checked-host.ts'
import { createOutageLogger, type OutageLogger } from './outage-log.ts'
import { printableFields, standardError } from './standard-error.ts'

/** Aborted when the service begins to close, and once it has closed. */
export type ClosingSignals = Readonly<Record<'closing' | 'closed', AbortController>>

/**
 * Creates the logger of a service. An outage is one line a second. No line has a statement or a
 * parameter that a driver's error carries, or a character that a terminal acts on. None is about a
 * failure once the service has closed: a request that the server has dropped may still be running,
 * and finds the host's pool closed.
 *
 * @param own The host's. Default: JSON lines on standard error.
 */
export function createServiceLogger(
  own: Logger | undefined,
  { closing, closed }: ClosingSignals,
): OutageLogger {
  const logger = own === undefined ? standardError : checked(own, loggerContract)
  const safe = (level: keyof Logger): Logger['error'] => {
    return (fields, message) => {
      if ('err' in fields && closed.signal.aborted) return
      const logged = printableFields({
        ...fields,
        ...('err' in fields && { err: withoutValues(fields.err) }),
      })
      // A logger that fails, at once or later, must neither fail the request nor lose the line.
      const onFailure = (): void => standardError[level](logged, message)
      void (async () => logger[level](logged, message))().catch(onFailure)
    }
  }
  return createOutageLogger({ warn: safe('warn'), error: safe('error') }, closing.signal)
}
