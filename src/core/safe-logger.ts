import type { Logger } from '../contracts/host.ts'
import { withoutValues } from '../contracts/driver-errors.ts'

/** Creates a logger that receives no statement and no parameter that a driver's error carries. */
export function createSafeLogger(logger: Logger): Logger {
  const safe = (level: keyof Logger): Logger['error'] => {
    return (fields, message) => {
      const isFailure = 'err' in fields
      logger[level](isFailure ? { ...fields, err: withoutValues(fields.err) } : fields, message)
    }
  }
  return { warn: safe('warn'), error: safe('error') }
}
