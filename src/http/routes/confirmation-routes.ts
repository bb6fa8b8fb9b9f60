import type { PlainReply } from '../../contracts/host.ts'
import type { ConfirmationOutcome, Proof } from '../../core/accounts/confirmation-layer.ts'
import type { RequestBody } from '../../rules/routes.ts'
import { done, refusalOf, type Refusal } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import { sourceOf } from './login-routes.ts'
import type { RouteParts } from './route-parts.ts'

/** Creates the handler of the confirmation layer. It exists only while the layer is bound. */
export function createConfirmationRoutes(parts: RouteParts): HandlersOf<'confirm'> {
  return {
    confirm: async ({ request, tenant, user, session }, body) => {
      const proof = proofIn(body)
      if (proof === null) return MISSING
      const source = sourceOf(parts, request, tenant)
      // Loaded by the first request, because most services never need it.
      const { confirm } = await import('../../core/accounts/confirmation-layer.ts')
      return afterConfirm(await confirm(parts, { ...source, user, session, proof }), proof.kind)
    },
  }
}

const MISSING: Refusal = {
  key: 'svc::auth.invalid',
  fields: { password: { key: 'svc::auth.field.password.required' } },
}

function proofIn({ password, code }: RequestBody<'confirm'>): Proof | null {
  if (password !== undefined) return { kind: 'password', password }
  return code === undefined ? null : { kind: 'code', code }
}

function afterConfirm(result: ConfirmationOutcome, field: Proof['kind']): PlainReply | Refusal {
  if (result.outcome === 'confirmed') return done()
  if (result.outcome === 'incorrect') return { key: INCORRECT[field], field }
  return refusalOf(result, field)
}

const INCORRECT = {
  password: 'svc::auth.password_incorrect',
  code: 'svc::auth.two_factor_invalid',
} as const
