import type { PlainReply } from '../../contracts/host.ts'
import type {
  DeviceConfirmOutcome,
  DeviceRemovalOutcome,
  DeviceSetupOutcome,
} from '../../core/second-factor/factor-devices.ts'
import { clientOf } from '../wire/client-of.ts'
import { done, succeed, refusalOf, type Refusal } from '../wire/respond.ts'
import type { Handlers } from './handler.ts'
import { sourceOf } from './login-routes.ts'
import type { Bound } from './route-parts.ts'

/** Creates the handlers of devices. They exist only where a user may have several. */
export function createDeviceRoutes(parts: Bound<'factor' | 'twoFactorDevices'>) {
  return {
    'two-factor.devices.begin': async ({ request, tenant, user, session }, { code }) => {
      const { beginDevice } = await loadDevices()
      const source = sourceOf(parts, request, tenant)
      return answerOf(await beginDevice(parts, { ...source, user, session, code }))
    },

    'two-factor.devices.confirm': async ({ request, user, session }, { code, name }) => {
      const { confirmDevice } = await loadDevices()
      const client = clientOf(parts, request)
      return answerOf(await confirmDevice(parts, { ...client, user, session, code, name }))
    },

    'two-factor.devices.remove': async ({ request, tenant, user, session, params }, { code }) => {
      const { removeDevice } = await loadDevices()
      const source = sourceOf(parts, request, tenant)
      return answerOf(await removeDevice(parts, { ...source, user, session, code, id: params.id }))
    },
  } satisfies Partial<Handlers>
}

/** Loads the management of devices, which most services never need. */
const loadDevices = async () => import('../../core/second-factor/factor-devices.ts')

function answerOf(
  result: DeviceSetupOutcome | DeviceConfirmOutcome | DeviceRemovalOutcome,
): PlainReply | Refusal {
  if (result.outcome === 'added' || result.outcome === 'removed') return done()
  if (result.outcome !== 'started') return refusalOf(result, 'code')
  const { secret, qrCode } = result
  return succeed('two-factor.devices.begin', { secret, qr_code: qrCode })
}
