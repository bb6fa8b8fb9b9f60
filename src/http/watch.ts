import {
  readGuardOptions,
  type GuardOptions,
  type PlainRequest,
  type Watched,
} from '../contracts.ts'
import { hostExchange, judgeHost, unavailable } from './handle.ts'
import { admittedForMs } from './long-requests.ts'
import type { Exchange } from './exchange.ts'
import type { Service } from './service.ts'

/**
 * Judges a request of the host that stays open, and again whenever its session may have ended and every 25 seconds.
 *
 * @throws {ConfigError} The options are wrong.
 */
export async function watchHost<User>(
  service: Service<User>,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Watched<User>> {
  const guardOptions = readGuardOptions(options)
  const opening = hostExchange<User>(request, guardOptions)
  const verdict = await judgeHost(service, opening)
  if (verdict.outcome !== 'admitted') return verdict
  const { key, record } = verdict.session
  // An open connection is no activity of the person: it does not keep the session alive.
  const exchange = hostExchange<User>(request, { ...guardOptions, passive: true })
  const alarm = createAlarm()
  let stopListening = (): void => undefined
  try {
    stopListening = await service.changeNotifier.onSessionEnd(record, key, alarm.ring)
  } catch (error) {
    return unavailable(service, exchange, error)
  }
  // The session may have ended before anybody listened.
  const again = await judgeHost(service, exchange)
  if (again.outcome !== 'admitted') {
    stopListening()
    return again
  }
  const ended = endedWith(service, request)
  ended.signal.addEventListener('abort', alarm.ring)
  void follow(service, exchange, { alarm, ended }).finally(stopListening)
  const { user, tenant } = again
  return { outcome: 'admitted', user, tenant, ended: ended.signal, stop: () => ended.abort() }
}

/** Aborted when the client goes away or the service closes, too. */
function endedWith<User>({ closing }: Service<User>, { signal }: PlainRequest): AbortController {
  const ended = new AbortController()
  const abort = (): void => ended.abort()
  for (const one of [closing, ...(signal === undefined ? [] : [signal])]) {
    if (one.aborted) abort()
    // It is forgotten with `ended`: a service sees many connections come and go.
    one.addEventListener('abort', abort, { once: true, signal: ended.signal })
  }
  return ended
}

interface Following {
  readonly alarm: Alarm
  readonly ended: AbortController
}

/** Judges until the request would not be admitted any more. What cannot be judged is ended, too. */
async function follow<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  { alarm, ended }: Following,
): Promise<void> {
  const judge = async (): Promise<number | null> =>
    service.streamChecks.run(async () => admittedForMs(service, exchange))
  try {
    let waitMs = await judge()
    while (waitMs !== null && !ended.signal.aborted) {
      await alarm.wait(waitMs)
      if (!ended.signal.aborted) waitMs = await judge()
    }
  } catch (error) {
    service.logger.error({ err: error }, 'an open connection could not be judged, and was ended')
  } finally {
    ended.abort()
  }
}

interface Alarm {
  readonly ring: () => void
  /** Waits until it rings, or for so long; at once if it has rung since it was last waited for. */
  readonly wait: (milliseconds: number) => Promise<void>
}

function createAlarm(): Alarm {
  let hasRung = false
  let wake = (): void => undefined
  return {
    ring() {
      hasRung = true
      wake()
    },
    async wait(milliseconds) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      hasRung = false
    },
  }
}
