import type { User } from '../core/boundary/checked-users.ts'
import type { PlainRequest } from '../contracts/host.ts'
import type { GuardOptions, Watched } from '../contracts/service-contract.ts'
import { checkGuardOptions } from './checked-guard.ts'
import { hostExchange, judgeHost, overloaded, unavailable, withoutSession } from './handle.ts'
import { admittedForMs, createEnded } from './long-requests.ts'
import type { Exchange } from './exchange.ts'
import { createWakeSignal, type WakeSignal } from '../process/wake-signal.ts'
import type { Service } from './service.ts'

/**
 * Checks a request of the host that stays open: at once, when its session may have ended, and every
 * 25 seconds.
 *
 * @throws {ConfigError} The options are wrong.
 */
export async function watchHost(
  service: Service,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Watched<User>> {
  const guardOptions = checkGuardOptions(service, options)
  const opening = hostExchange(request, guardOptions)
  const verdict = await judgeHost(service, opening)
  if (verdict.outcome !== 'admitted') return verdict
  if (service.watchedRequests.isFull()) {
    service.noteRefusedStream()
    return overloaded(service, opening)
  }
  const { key, record } = verdict.session
  // An open connection is not an activity of the user, so it must not extend the session.
  const exchange = hostExchange(request, { ...guardOptions, passive: true })
  const signal = createWakeSignal()
  let stopListening = (): void => undefined
  try {
    stopListening = await service.changeNotifier.onSessionEnd(key, record, signal.wake)
  } catch (error) {
    return unavailable(service, exchange, error)
  }
  // The session may have ended between the first check and the subscription.
  const recheck = await judgeHost(service, exchange)
  if (recheck.outcome !== 'admitted') {
    stopListening()
    return recheck
  }
  const ended = createEnded(service.closing, request)
  ended.signal.addEventListener('abort', signal.wake)
  const release = service.watchedRequests.add(record, key, () => ended.abort())
  void recheckUntilEnded(service, exchange, { signal, ended }).finally(() => {
    release()
    stopListening()
  })
  return { ...withoutSession(recheck), ended: ended.signal, stop: () => ended.abort() }
}

interface WatchState {
  readonly signal: WakeSignal
  readonly ended: AbortController
}

/**
 * Repeats the check until the request is no longer admitted. A check that fails ends the request,
 * too: without it nobody knows whether the user may still read.
 */
async function recheckUntilEnded(
  service: Service,
  exchange: Exchange,
  { signal, ended }: WatchState,
): Promise<void> {
  const check = async (): Promise<number | null> =>
    service.streamChecks.run(async () =>
      ended.signal.aborted ? null : admittedForMs(service, exchange),
    )
  try {
    let waitMs = await check()
    while (waitMs !== null && !ended.signal.aborted) {
      await signal.wait(waitMs)
      if (!ended.signal.aborted) waitMs = await check()
    }
  } catch (error) {
    service.logger.error({ err: error }, 'an open connection could not be checked, and was ended')
  } finally {
    ended.abort()
  }
}
