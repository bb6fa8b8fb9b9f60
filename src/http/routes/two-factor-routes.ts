import type { TwoFactor } from '../../core/second-factor/two-factor.ts'
import { payloads, type RefusalKey } from '../../rules/payloads.ts'
import { done, succeed } from '../wire/respond.ts'
import type { Bodies } from './bodies.ts'
import type { HandlersOf } from './handler.ts'
import type { SessionCookies } from './session-cookies.ts'

export interface TwoFactorRouteParts<User> {
  readonly bodies: Bodies
  readonly twoFactor: TwoFactor<User>
  readonly sessionCookies: SessionCookies
}

type TwoFactorRoute =
  | 'two-factor'
  | 'two-factor.setup'
  | 'two-factor.confirm'
  | 'two-factor.codes-seen'
  | 'two-factor.disable'

/** Creates the handlers of the security page. They exist only while a second factor is bound. */
export function createTwoFactorRoutes<User>({
  bodies,
  twoFactor,
  sessionCookies,
}: TwoFactorRouteParts<User>): HandlersOf<TwoFactorRoute, User> {
  return {
    'two-factor': bodies.none(async (context) => {
      const { codesUnseen, ...status } = await twoFactor.statusOf(context)
      return succeed('two-factor', { ...status, codes_unseen: codesUnseen })
    }),

    'two-factor.setup': bodies.optional(
      payloads['two-factor.setup'].request,
      async (context, body) => {
        const result = await twoFactor.setUp(context, body?.fresh === true ? 'fresh' : 'same')
        if (result.outcome !== 'started') return { key: REFUSED[result.outcome] }
        return succeed('two-factor.setup', { secret: result.secret, qr_code: result.qrCode })
      },
    ),

    'two-factor.confirm': bodies.required(
      payloads['two-factor.confirm'].request,
      async (context, { code }) => {
        const result = await twoFactor.confirm(context, code)
        if (result.outcome !== 'enabled') return { key: REFUSED[result.outcome] }
        const headers = sessionCookies.give(context.tenant, result.sessionId)
        return succeed('two-factor.confirm', { recovery_codes: result.recoveryCodes }, headers)
      },
    ),

    'two-factor.codes-seen': bodies.none(async (context) => {
      await twoFactor.confirmCodesSeen(context)
      return done()
    }),

    'two-factor.disable': bodies.none(async (context) => {
      const result = await twoFactor.disable(context)
      switch (result.outcome) {
        case 'disabled':
          return done(sessionCookies.give(context.tenant, result.sessionId))
        case 'not-enabled':
          return done()
        case 'required':
        case 'session-ended':
          return { key: REFUSED[result.outcome] }
      }
    }),
  }
}

const REFUSED = {
  'already-enabled': 'svc::auth.two_factor_already_enabled',
  'setup-missing': 'svc::auth.two_factor_setup_missing',
  'session-ended': 'svc::auth.unauthenticated',
  invalid: 'svc::auth.two_factor_invalid',
  required: 'svc::auth.required_cannot_disable',
} as const satisfies Record<string, RefusalKey>
