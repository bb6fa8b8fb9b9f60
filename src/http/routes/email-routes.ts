import { openLink, sendLink } from '../../core/email/email-verification.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { clientOf } from '../wire/client-of.ts'
import { isUserNavigation } from '../wire/navigation.ts'
import { done, redirect, succeed, type Refusal } from '../wire/respond.ts'
import type { ContextOf, Handlers } from './handler.ts'
import { mailTexts } from './link-mail.ts'
import type { RouteParts } from './route-parts.ts'

/** Creates the handlers that send a verification mail and open its link. */
export function createEmailRoutes(parts: RouteParts) {
  return {
    'svc.email.send': async (context, body) =>
      sendMail(parts, context, body?.panel ?? firstPanel(parts)),
    'svc.email.verify': async (context) => answerLink(parts, context),
  } satisfies Partial<Handlers>
}

async function sendMail(
  { panels, translator, verification, name }: RouteParts,
  { user, tenant, request, attempt }: ContextOf<'svc.email.send'>,
  panel: string,
) {
  if (!panels.includes(panel)) return UNKNOWN_PANEL
  if (emailStateOf(user).state !== 'unverified') return done()
  const language = translator.language(request.header('accept-language'))
  const { say, linkMail } = mailTexts(translator, language, name)
  await sendLink(verification, { user, tenant, panel }, (link, count) =>
    linkMail('verify', { link, closing: say('mail.verify.lifetime', { count }) }),
  )
  const retryAfter = attempt === null || attempt.remaining > 0 ? 0 : attempt.retryAfterSeconds
  return succeed('svc.email.send', { retry_after: retryAfter })
}

async function answerLink(
  parts: RouteParts,
  { request, params, tenant }: ContextOf<'svc.email.verify'>,
) {
  const query = request.target.slice(request.target.indexOf('?') + 1)
  const link = { ...params, query, tenant, client: clientOf(parts, request) }
  const effect = isUserNavigation(request) ? 'verify' : 'look'
  const result = await openLink(parts.verification, link, effect)
  const pages = `${parts.baseUrl(tenant)}/${parts.prefix}`
  if (result.outcome === 'verified') return redirect(`${pages}/${result.panel}?verified=1`)
  const panel = result.outcome === 'expired' ? result.panel : firstPanel(parts)
  if (request.header('accept')?.includes('text/html') !== true)
    return { key: 'svc::auth.verification_invalid' } as const
  return redirect(`${pages}/${panel}?verified=${result.outcome}`)
}

function firstPanel({ panels: [first = ''] }: RouteParts): string {
  return first
}

/** The refusal of a panel that the service does not have. */
export const UNKNOWN_PANEL: Refusal = {
  key: 'svc::auth.invalid',
  fields: { panel: { key: 'svc::auth.field.panel.unknown' } },
}
