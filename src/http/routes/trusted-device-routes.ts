import type { PlainRequest, Tenant } from '../../contracts/host.ts'
import type { ListedDevice } from '../../core/login/trusted-devices.ts'
import type { SuccessBody } from '../../rules/routes.ts'
import { clientOf } from '../wire/client-of.ts'
import { done, NOT_FOUND, succeed } from '../wire/respond.ts'
import type { Handlers } from './handler.ts'
import type { Bound } from './route-parts.ts'

/** Creates the handlers of the trusted devices. They exist only while the host binds them. */
export function createTrustedDeviceRoutes(parts: Bound<'trustedDevices'>) {
  const { trustedDevices, users, events, cookies } = parts
  const presentedId = (request: PlainRequest, tenant: Tenant): string | null =>
    cookies(tenant).readTrusted(request.header('cookie'))
  return {
    'trusted-devices': async ({ request, tenant, user, session }) => {
      const { userId } = session.record
      const trusting = { owner: { tenant, userId }, credential: users.credential(user) }
      const { listTrusted } = await loadDevices()
      const all = await listTrusted(trustedDevices, trusting, presentedId(request, tenant))
      return succeed('trusted-devices', { data: all.map(entryOf) })
    },
    'trusted-devices.end': async ({ request, tenant, session, params }) => {
      const { userId } = session.record
      const { endTrusted } = await loadDevices()
      if (!(await endTrusted(trustedDevices, { tenant, userId }, params.id))) return NOT_FOUND
      events.emit('device.untrusted', { userId, tenant }, clientOf(parts, request))
      return done()
    },
  } satisfies Partial<Handlers>
}

const loadDevices = async () => import('../../core/login/trusted-devices.ts')

function entryOf(device: ListedDevice): SuccessBody<'trusted-devices'>['data'][number] {
  const { handle, isCurrent, browser, system, network, createdAt, expiresAt } = device
  return {
    id: handle,
    current: isCurrent,
    browser,
    system,
    network,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  }
}
