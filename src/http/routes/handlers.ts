import type { Tenant } from '../../contracts/host.ts'
import type { TwoFactor } from '../../core/second-factor/two-factor.ts'
import type { Layer } from '../../rules/routes/row.ts'
import { succeed } from '../wire/respond.ts'
import { createActivityRoutes, type ActivityRouteParts } from './activity-routes.ts'
import { createBellRoutes, type BellRouteParts } from './bell-routes.ts'
import { createConfirmationRoutes, type ConfirmationRouteParts } from './confirmation-routes.ts'
import { createDeviceRoutes, type DeviceRouteParts } from './device-routes.ts'
import { createEmailRoutes, type EmailRouteParts } from './email-routes.ts'
import type { Handlers } from './handler.ts'
import { createImpersonationRoutes } from './impersonation-routes.ts'
import { createLoginRoutes, type LoginRouteParts } from './login-routes.ts'
import { createSessionCookies } from './session-cookies.ts'
import { createPasswordRoutes, type PasswordRouteParts } from './password-routes.ts'
import { createSessionListRoutes, type SessionListRouteParts } from './session-list-routes.ts'
import { createTrustedDeviceRoutes, type TrustedDeviceRouteParts } from './trusted-device-routes.ts'
import { createTwoFactorRoutes } from './two-factor-routes.ts'
import { createUserRoutes, type UserRouteParts } from './user-routes.ts'

/** The parts that the handlers of all features need. */
export interface RouteParts
  extends
    Omit<LoginRouteParts, 'sessionCookies'>,
    Omit<TrustedDeviceRouteParts, 'trustedDevices'>,
    EmailRouteParts,
    BellRouteParts,
    UserRouteParts {
  /** `null`: no second factor is bound, and its routes do not exist. */
  readonly twoFactor: TwoFactor | null
  /** `null`: a user has one device for codes, and the routes of devices do not exist. */
  readonly factorDevices: DeviceRouteParts['factorDevices'] | null
  /** `null`: the passwords layer is not bound, and its routes do not exist. */
  readonly passwordLayer: PasswordRouteParts['passwordLayer'] | null
  /** `null`: the confirmation layer is not bound, and its route does not exist. */
  readonly confirmationLayer: ConfirmationRouteParts['confirmationLayer'] | null
  /** `null`: the list of sessions is not bound, and its routes do not exist. */
  readonly sessionLayer: SessionListRouteParts['sessionLayer'] | null
  readonly sessionList: SessionListRouteParts['sessionList']
  /** `null`: the activity layer is not bound, and its route does not exist. */
  readonly activityLog: ActivityRouteParts['activityLog'] | null
  /** `null`: trusted devices are not bound, and their routes do not exist. */
  readonly trustedDevices: TrustedDeviceRouteParts['trustedDevices'] | null
  readonly layers: ReadonlySet<Layer>
  readonly baseUrl: (tenant: Tenant) => string
}

/** Creates one handler for each row of the route table. */
export function createHandlers(given: RouteParts): Handlers {
  const { twoFactor, factorDevices, passwordLayer, confirmationLayer, sessionLayer } = given
  const { activityLog, trustedDevices, layers, baseUrl } = given
  const sessionCookies = createSessionCookies(given)
  const parts = { ...given, sessionCookies }
  return {
    ...createLoginRoutes(parts),
    ...createUserRoutes(parts),
    ...(twoFactor !== null && createTwoFactorRoutes({ ...parts, twoFactor })),
    ...(factorDevices !== null && createDeviceRoutes({ ...parts, factorDevices })),
    ...(passwordLayer !== null && createPasswordRoutes({ ...parts, passwordLayer })),
    ...(confirmationLayer !== null && createConfirmationRoutes({ ...parts, confirmationLayer })),
    ...(sessionLayer !== null && createSessionListRoutes({ ...parts, sessionLayer })),
    ...(layers.has('impersonation') && createImpersonationRoutes(parts)),
    ...(activityLog !== null && createActivityRoutes({ activityLog })),
    ...(trustedDevices !== null && createTrustedDeviceRoutes({ ...parts, trustedDevices })),
    ...createEmailRoutes(parts),
    ...createBellRoutes(parts),
    openapi: async ({ tenant }) => {
      // Most services never serve the document, so its texts are loaded by the first request.
      const { openApiDocument } = await import('./openapi.ts')
      return succeed('openapi', openApiDocument(baseUrl(tenant), layers))
    },
  }
}
