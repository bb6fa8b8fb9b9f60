import type { Logger } from '../contracts/host.ts'

const QUIET_MS = 1000

/** The failures of one kind within a second. */
interface Failures {
  /** Those that have not been logged. */
  count: number
  /** Logs the latest of them, with their number. */
  log: () => void
  timer: NodeJS.Timeout
}

/**
 * Creates a logger that passes on one failure of each kind a second, with the number of failures
 * since the last one. An outage fails every request, and a line for each would fill disks and
 * pipes.
 *
 * A failure is a line with an error, and its message is its kind. Other lines pass unchanged.
 *
 * @param closing Aborted when the service closes: what is due at the end of the second is then
 *   logged at once.
 */
export function createOutageLogger(logger: Logger, closing: AbortSignal): Logger {
  const recent = new Map<string, Failures>()

  function limited(level: keyof Logger): Logger['error'] {
    return (fields, message) => {
      if (!('err' in fields)) return logger[level](fields, message)
      const failures = recent.get(message)
      if (failures === undefined) {
        const timer = setTimeout(() => end(message), QUIET_MS).unref()
        recent.set(message, { count: 0, log: () => undefined, timer })
        return logger[level](fields, message)
      }
      failures.count += 1
      failures.log = () => logger[level]({ ...fields, count: failures.count }, message)
    }
  }

  /** Logs what was left out of a second, and begins the next one if there was any. */
  function end(message: string): void {
    const failures = recent.get(message)
    if (failures === undefined) return
    if (failures.count === 0) return void recent.delete(message)
    failures.log()
    failures.count = 0
    failures.timer = setTimeout(() => end(message), QUIET_MS).unref()
  }

  closing.addEventListener('abort', () => {
    for (const { timer, count, log } of recent.values()) {
      clearTimeout(timer)
      if (count > 0) log()
    }
    recent.clear()
  })
  return { warn: limited('warn'), error: limited('error') }
}
