import { succeed } from '../wire/respond.ts'
import { createActivityRoutes } from './activity-routes.ts'
import { createBellRoutes } from './bell-routes.ts'
import { createConfirmationRoutes } from './confirmation-routes.ts'
import { createDeviceRoutes } from './device-routes.ts'
import { createEmailRoutes } from './email-routes.ts'
import type { Handlers } from './handler.ts'
import { createImpersonationRoutes } from './impersonation-routes.ts'
import { createLoginRoutes } from './login-routes.ts'
import type { RouteParts } from './route-parts.ts'
import { createSessionCookies } from './session-cookies.ts'
import { createPasswordRoutes } from './password-routes.ts'
import { createSessionListRoutes } from './session-list-routes.ts'
import { createTrustedDeviceRoutes } from './trusted-device-routes.ts'
import { createTwoFactorRoutes } from './two-factor-routes.ts'
import { createUserRoutes } from './user-routes.ts'

/** Creates one handler for each row of the route table. */
export function createHandlers(given: Omit<RouteParts, 'sessionCookies'>): Handlers {
  const { factor, twoFactorDevices, passwordLayer, sessionLayer } = given
  const { activityLog, trustedDevices, layers, baseUrl } = given
  const sessionCookies = createSessionCookies(given)
  const parts = { ...given, sessionCookies }
  return {
    ...createLoginRoutes(parts),
    ...createUserRoutes(parts),
    ...(factor !== null && createTwoFactorRoutes({ ...parts, factor })),
    ...(factor !== null &&
      twoFactorDevices !== null &&
      createDeviceRoutes({ ...parts, factor, twoFactorDevices })),
    ...(passwordLayer !== null && createPasswordRoutes({ ...parts, passwordLayer })),
    ...(layers.has('confirmation') && createConfirmationRoutes(parts)),
    ...(sessionLayer !== null && createSessionListRoutes({ ...parts, sessionLayer })),
    ...(layers.has('impersonation') && createImpersonationRoutes(parts)),
    ...(activityLog !== null && createActivityRoutes({ ...parts, activityLog })),
    ...(trustedDevices !== null && createTrustedDeviceRoutes({ ...parts, trustedDevices })),
    ...createEmailRoutes(parts),
    ...createBellRoutes(parts),
    openapi: async ({ tenant }) => {
      // `auth.ready()` has loaded it, except for a host that does not call `ready`.
      const { openApiText } = await import('./openapi.ts')
      return { ...succeed('openapi', {}), body: openApiText(baseUrl(tenant), layers) }
    },
  }
}
