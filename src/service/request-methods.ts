import type { PlainRequest } from '../contracts/host.ts'
import type { Admitted, PanelAuth, Refused } from '../contracts/service-contract.ts'
import type { User } from '../core/boundary/checked-users.ts'
import { confirmationWarning } from '../config/warnings.ts'
import { checkGuardOptions } from '../http/checked-guard.ts'
import { completePage } from '../http/handle.ts'
import { guardMeasured, handleMeasured } from '../http/measured-request.ts'
import type { Pages } from '../http/pages/panel-pages.ts'
import type { Service } from '../http/service.ts'
import { sessionOfAction } from '../http/session-of-action.ts'
import { createUserFrom } from '../http/user-from.ts'
import { watchHost } from '../http/watch.ts'
import { pathOf } from '../http/wire/router.ts'
import { ensureRequest, ensureText, ensureUser } from './host-calls.ts'
import { API_PATH } from '../rules/paths.ts'

/**
 * Returns the methods that take requests.
 *
 * @param pages `null`: the host has its own.
 */
export function requestMethods<Host>(service: Service, pages: Pages | null) {
  const servePage = async (from: Pages, request: PlainRequest, path: string) =>
    completePage(service, request, from.answer(request, path))
  const userFrom = createUserFrom(service)
  return {
    serves(target) {
      ensureText('serves', 'target', target)
      return isApi(pathOf(target)) || pages?.serves(pathOf(target)) === true
    },
    handle(request) {
      ensureRequest('handle', request)
      service.noteAddress(request)
      const path = pathOf(request.target)
      return pages?.serves(path) === true
        ? servePage(pages, request, path)
        : handleMeasured(service, request)
    },
    checkGuard(options) {
      const checked = checkGuardOptions(service, options)
      const warning = confirmationWarning('guard: confirmedWithin', checked.confirmedWithin)
      if (warning !== null) service.logger.warn({}, warning)
      return checked
    },
    async guard(request, options) {
      ensureRequest('guard', request)
      return forHost(await guardMeasured(service, request, options))
    },
    userFrom: async (headers, options) => forHost(await userFrom(headers, options)),
    async openSession(user, options) {
      ensureUser('openSession', user)
      const { openSession } = await import('../http/open-session.ts')
      return openSession(service, sessionOfAction, user, options)
    },
    async watch(request, options) {
      ensureRequest('watch', request)
      return forHost(await watchHost(service, request, options))
    },
  } satisfies Partial<PanelAuth<Host>>
}

const isApi = (path: string): boolean => path === API_PATH || path.startsWith(`${API_PATH}/`)

/** Returns a verdict with the host's own object of the admitted user. */
function forHost<Host, Admission extends Admitted<User>>(
  verdict: Admission | Refused,
): (Omit<Admission, 'user'> & Admitted<Host>) | Refused {
  if (verdict.outcome !== 'admitted') return verdict
  // The provider of the same host has returned it.
  return { ...verdict, user: verdict.user.host as Host }
}
