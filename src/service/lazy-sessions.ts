import type { SessionLayerParts } from '../core/accounts/session-layer.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { ArrivingLogin } from '../core/login/login-places.ts'
import type { Settings } from '../config/settings.ts'
import type { Translator } from '../http/wire/translate.ts'
import { lazily } from './lazily.ts'

type CoreParts = Omit<
  SessionLayerParts,
  'mailer' | 'keys' | 'baseUrl' | 'prefix' | 'panels' | 'compose'
>

/** Binds the layer of sessions, whose modules its first use loads; `null`: the host does not. */
export function bindSessions(
  { layers, mailer }: CheckedHost,
  { app: { keys }, baseUrl, svc: { prefix, panels }, spa: { name } }: Settings,
  core: CoreParts,
  translator: Translator,
) {
  // The start refuses the layer without a mailer.
  if (!layers.has('sessions') || mailer === null) return { sessionLayer: null, loginPlaces: null }
  const bound = { mailer, keys, baseUrl, prefix, panels }
  const sessionLayer = lazily(async () => {
    const [{ createSessionLayer }, { loginNotices }] = await Promise.all([
      import('../core/accounts/session-layer.ts'),
      import('../http/routes/login-notices.ts'),
    ])
    return createSessionLayer({ ...core, ...bound, compose: loginNotices(translator, name) })
  })
  return {
    sessionLayer,
    loginPlaces: {
      place: async (login: ArrivingLogin) => (await sessionLayer()).place(login),
    },
  }
}
