import type { PlainReply } from '../../contracts/host.ts'
import type { TwoFactorDevice } from '../../contracts/two-factor-devices.ts'
import {
  confirm,
  confirmCodesSeen,
  disable,
  setUp,
  statusOf,
  type ConfirmOutcome,
  type DisableOutcome,
  type SetupOutcome,
  type TwoFactorStatus,
} from '../../core/second-factor/two-factor.ts'
import type { SuccessBody } from '../../rules/routes.ts'
import { clientOf } from '../wire/client-of.ts'
import { done, succeed, refusalOf, type Refusal } from '../wire/respond.ts'
import type { ContextOf, Handlers } from './handler.ts'
import type { Bound } from './route-parts.ts'

/** Creates the handlers of the security page. They exist only while a second factor is bound. */
export function createTwoFactorRoutes(parts: Bound<'factor'>) {
  const changeOf = ({ request, user, session }: ContextOf<'two-factor.disable'>) => ({
    user,
    session,
    client: clientOf(parts, request),
  })
  return {
    'two-factor': async (context) =>
      succeed('two-factor', statusBody(await statusOf(parts, context))),

    'two-factor.setup': async (context, body) =>
      afterSetup(await setUp(parts, context, body?.fresh === true ? 'fresh' : 'same')),

    'two-factor.confirm': async (context, { code }) =>
      afterConfirm(await confirm(parts, changeOf(context), code), (id) =>
        parts.sessionCookies.giveNewId(context.session, id),
      ),

    'two-factor.codes-seen': async (context) => {
      await confirmCodesSeen(parts, context)
      return done()
    },

    'two-factor.disable': async (context) =>
      afterDisable(await disable(parts, changeOf(context)), (id) =>
        parts.sessionCookies.giveNewId(context.session, id),
      ),
  } satisfies Partial<Handlers>
}

function statusBody({
  codesUnseen,
  daysUntilRequired,
  recoveryCodesLeft,
  devices,
  ...status
}: TwoFactorStatus): SuccessBody<'two-factor'> {
  return {
    ...status,
    codes_unseen: codesUnseen,
    ...(daysUntilRequired !== null && { required_in_days: daysUntilRequired }),
    ...(recoveryCodesLeft !== null && { recovery_codes_left: recoveryCodesLeft }),
    ...(devices !== null && { devices: devices.map(deviceBody) }),
  }
}

function deviceBody({ id, name, addedAt, lastUsedAt }: TwoFactorDevice) {
  return {
    id,
    name,
    added_at: addedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

/** Makes the headers that give the browser the session of this id. */
type GiveSession = (sessionId: string) => PlainReply['headers']

function afterSetup(result: SetupOutcome): PlainReply | Refusal {
  if (result.outcome !== 'started') return refusalOf(result)
  return succeed('two-factor.setup', { secret: result.secret, qr_code: result.qrCode })
}

function afterConfirm(result: ConfirmOutcome, giveSession: GiveSession): PlainReply | Refusal {
  if (result.outcome !== 'enabled') return refusalOf(result)
  const body = { recovery_codes: result.recoveryCodes }
  return succeed('two-factor.confirm', body, giveSession(result.sessionId))
}

function afterDisable(result: DisableOutcome, giveSession: GiveSession): PlainReply | Refusal {
  if (result.outcome === 'not-enabled') return done()
  return result.outcome === 'disabled' ? done(giveSession(result.sessionId)) : refusalOf(result)
}
