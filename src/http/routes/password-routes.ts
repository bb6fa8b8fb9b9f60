import type { PlainReply, PlainRequest } from '../../contracts/host.ts'
import type { ChangeOutcome } from '../../core/accounts/password-change.ts'
import type { PasswordRefusal } from '../../core/accounts/password-policy.ts'
import type { ResetOutcome } from '../../core/accounts/password-reset.ts'
import { PASSWORD_REFUSALS } from '../../rules/routes/password-rows.ts'
import { clientOf } from '../wire/client-of.ts'
import { accepted, done, refusalOf, type Refusal } from '../wire/respond.ts'
import { UNKNOWN_PANEL } from './email-routes.ts'
import type { Handlers } from './handler.ts'
import { sourceOf } from './login-routes.ts'
import { passwordMails, type PasswordMails } from './password-mails.ts'
import type { Bound, RouteParts } from './route-parts.ts'

/** Creates the handlers of the passwords layer. They exist only while it is bound. */
export function createPasswordRoutes(parts: Bound<'passwordLayer'>) {
  const { passwordLayer, panels, sessionCookies } = parts
  return {
    'password.change': async (context, body) => {
      const { user, session, tenant, request } = context
      const { current_password: currentPassword, password } = body
      const source = sourceOf(parts, request, tenant)
      const layer = await passwordLayer()
      const { changed } = mailsFor(parts, request)
      const result = await layer.change(
        { ...source, user, session, currentPassword, password },
        changed,
      )
      return afterChange(result, (id) => sessionCookies.giveNewId(session, id))
    },

    'password.forgot': async (context, body) => {
      const { request, tenant } = context
      const { email, panel = panels[0] ?? '' } = body
      if (!panels.includes(panel)) return UNKNOWN_PANEL
      const layer = await passwordLayer()
      const client = clientOf(parts, request)
      layer.requestLink({ ...client, email, tenant, panel }, mailsFor(parts, request).reset)
      return accepted()
    },

    'password.reset': async (context, body) => {
      const { request, tenant } = context
      const { token, password } = body
      const source = sourceOf(parts, request, tenant)
      const layer = await passwordLayer()
      const { changed } = mailsFor(parts, request)
      return afterReset(await layer.reset({ ...source, token, password }, changed))
    },
  } satisfies Partial<Handlers>
}

/** Returns the mails in the language of a request. */
export function mailsFor({ translator, name }: RouteParts, request: PlainRequest): PasswordMails {
  return passwordMails(translator, translator.language(request.header('accept-language')), name)
}

function afterChange(
  result: ChangeOutcome,
  giveSession: (sessionId: string) => PlainReply['headers'],
): PlainReply | Refusal {
  if (result.outcome === 'changed')
    return result.sessionId === null ? done() : done(giveSession(result.sessionId))
  if (result.outcome === 'incorrect') return { key: 'svc::auth.password_incorrect' }
  if (result.outcome === 'refused') return passwordRefused(result.refusal)
  return refusalOf(result, 'current_password')
}

function afterReset(result: ResetOutcome): PlainReply | Refusal {
  if (result.outcome === 'reset') return done()
  return result.outcome === 'refused' ? passwordRefused(result.refusal) : refusalOf(result)
}

function passwordRefused(refusal: PasswordRefusal): Refusal {
  const count = refusal.reason === 'short' ? refusal.minCharacters : 0
  const password = { key: PASSWORD_REFUSALS[refusal.reason], values: { count } }
  return { key: 'svc::auth.invalid', fields: { password } }
}
