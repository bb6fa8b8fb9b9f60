import { randomUUID } from 'node:crypto'
import type { Logger } from '../../contracts/host.ts'

const QUIET_MS = 1000

/** A logger that an outage does not flood. */
export interface OutageLogger extends Logger {
  /**
   * Logs a failed request, as `error` does.
   *
   * @returns the id of the line that names this failure, or that counts it within a second.
   */
  failedRequest(fields: object, message: string): string
}

/** The failures of one kind within a second. */
interface Failures {
  /** Those that have not been logged. */
  count: number
  /** The id of the line that will count them; `null`: no answer names it. */
  id: string | null
  /** Logs the latest of them, with their number. */
  log: () => void
  timer: NodeJS.Timeout
}

/** A line that is to be logged. */
interface LogLine {
  readonly level: keyof Logger
  readonly fields: object
  readonly message: string
}

/**
 * Creates a logger that passes on one failure of each kind a second, with the number of failures
 * since the last one. An outage fails every request, and a line for each would fill disks and
 * pipes.
 *
 * A failure is a line with an error, or of the level `error`. Its kind is its message, its event
 * and the name of its error, so that an outage does not hide a defect. Other lines pass unchanged.
 *
 * @param closing Aborted when the service closes: what is due at the end of the second is then
 *   logged at once.
 */
export function createOutageLogger(logger: Logger, closing: AbortSignal): OutageLogger {
  const recent = new Map<string, Failures>()

  function failed(line: LogLine, hasId: boolean): string {
    const { level, fields, message } = line
    const log = (id: string, more: object): void =>
      logger[level]({ ...fields, ...(hasId && { requestId: id }), ...more }, message)
    const kind = kindOf(line)
    const failures = recent.get(kind)
    if (failures === undefined) {
      const timer = setTimeout(() => end(kind), QUIET_MS).unref()
      recent.set(kind, { count: 0, id: null, log: () => undefined, timer })
      const id = randomUUID()
      log(id, {})
      return id
    }
    failures.count += 1
    const id = (failures.id ??= randomUUID())
    failures.log = () => log(id, { count: failures.count })
    return id
  }

  /** Logs what was left out of a second, and begins the next one if there was any. */
  function end(kind: string): void {
    const failures = recent.get(kind)
    if (failures === undefined) return
    if (failures.count === 0) return void recent.delete(kind)
    failures.log()
    Object.assign(failures, { count: 0, id: null })
    failures.timer = setTimeout(() => end(kind), QUIET_MS).unref()
  }

  closing.addEventListener('abort', () => logRest(recent))
  return {
    warn(fields, message) {
      if ('err' in fields) failed({ level: 'warn', fields, message }, false)
      else logger.warn(fields, message)
    },
    error: (fields, message) => void failed({ level: 'error', fields, message }, false),
    failedRequest: (fields, message) => failed({ level: 'error', fields, message }, true),
  }
}

/** Logs what is due at the end of the second at once. */
function logRest(recent: Map<string, Failures>): void {
  for (const { timer, count, log } of recent.values()) {
    clearTimeout(timer)
    if (count > 0) log()
  }
  recent.clear()
}

function kindOf({ fields, message }: LogLine): string {
  const { err, event }: { readonly err?: unknown; readonly event?: unknown } = fields
  return JSON.stringify([message, event, err instanceof Error ? err.name : null])
}
