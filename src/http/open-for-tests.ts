import type { Tenant } from '../contracts/host.ts'
import { ConfigError } from '../contracts/errors.ts'
import type { HostUser } from '../core/boundary/checked-users.ts'
import type { OpenedSession } from '../contracts/session-openers.ts'
import type { Service } from './service.ts'

/**
 * Opens a session without a login, a limit or an event.
 *
 * @throws {ConfigError} The service runs in production.
 */
export async function openForTests(
  service: Service,
  { host, tenant }: HostUser & { readonly tenant: Tenant },
): Promise<OpenedSession> {
  const { production, users, sessions, stamps, csrf, cookies, baseUrl } = service
  if (production)
    throw new ConfigError(
      "loginAs: the service runs in production; set `environment: 'development'` in the configuration of your tests",
    )
  await service.ready()
  const user = users.identify(host)
  const stamp = stamps.of(users.credential(user))
  const owner = { tenant, userId: user.id }
  const opened = await sessions.openUnless({ presented: null, owner, stamp }, async () => null)
  if (!('id' in opened)) throw new Error('a session without conditions was refused')
  const token = csrf.issue(opened.id)
  return { origin: baseUrl(tenant), token, cookies: cookies(tenant).give(opened.id, token) }
}
