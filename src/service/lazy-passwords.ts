import { InvitationError } from '../contracts/errors.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import type { PasswordLayer, PasswordLayerParts } from '../core/accounts/password-layer.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { Settings } from '../config/settings.ts'
import { passwordMails } from '../http/routes/password-mails.ts'
import type { Translator } from '../http/wire/translate.ts'
import { ensureUser, tenantIn } from './host-calls.ts'
import { lazily, type Lazy } from './lazily.ts'

type CoreParts = Omit<
  PasswordLayerParts,
  'accountPasswords' | 'mailer' | 'keys' | 'baseUrl' | 'prefix' | 'panels' | 'name'
>

/** Binds the passwords layer, whose modules its first use loads; `null`: the host does not. */
export function bindPasswords(
  { passwords: accountPasswords, mailer }: CheckedHost,
  { app: { keys }, baseUrl, svc: { prefix, panels }, spa: { name } }: Settings,
  core: CoreParts,
): Lazy<PasswordLayer> | null {
  // The start refuses the layer without a mailer.
  if (accountPasswords === null || mailer === null) return null
  const bound = { accountPasswords, mailer, keys, baseUrl, prefix, panels, name }
  return lazily(async () => {
    const { createPasswordLayer } = await import('../core/accounts/password-layer.ts')
    return createPasswordLayer({ ...core, ...bound })
  })
}

/** Returns the method that invites users. */
export function inviteMethod(
  { passwordLayer }: { readonly passwordLayer: Lazy<PasswordLayer> | null },
  { svc: { panels }, spa: { name } }: Settings,
  { translator, ready }: { readonly translator: Translator; readonly ready: () => unknown },
): PanelAuth['invite'] {
  return async (host, options = {}) => {
    ensureUser('invite', host)
    const tenant = tenantIn('invite', options)
    const { panel = panels[0] ?? '', language = 'en' } = options
    if (passwordLayer === null)
      throw new InvitationError(
        'the option `passwords` is not bound; give `passwords: {}` beside `config`',
      )
    if (!panels.includes(panel)) throw new InvitationError(`there is no panel ${panel}`)
    await ready()
    const { invitation } = passwordMails(translator, language, name)
    await (await passwordLayer()).invite({ host, tenant, panel }, invitation)
  }
}
