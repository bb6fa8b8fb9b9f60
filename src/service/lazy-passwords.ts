import { InvitationError } from '../contracts/errors.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import type { PasswordLayer, PasswordLayerParts } from '../core/accounts/password-layer.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { Settings } from '../config/settings.ts'
import { passwordMails } from '../http/routes/password-mails.ts'
import type { Translator } from '../http/wire/translate.ts'
import { lazily } from './lazily.ts'

/** The passwords layer of a service, whose modules its first use loads. */
export interface BoundPasswords {
  /** `null`: the host does not bind it. */
  readonly passwordLayer: (() => Promise<PasswordLayer>) | null
  /** Resolves once every mail is sent, has failed, or is late. Never rejects. */
  readonly mailsSettled: () => Promise<void>
}

type Given = Omit<
  PasswordLayerParts,
  'accountPasswords' | 'mailer' | 'keys' | 'baseUrl' | 'prefix' | 'panels' | 'name'
>

/** Binds the passwords layer. */
export function bindPasswords(
  { passwords: accountPasswords, mailer }: CheckedHost,
  { app: { keys }, baseUrl, svc: { prefix, panels }, spa: { name } }: Settings,
  core: Given,
): BoundPasswords {
  // The start refuses the layer without a mailer.
  if (accountPasswords === null || mailer === null)
    return { passwordLayer: null, mailsSettled: async () => undefined }
  const bound = { accountPasswords, mailer, keys, baseUrl, prefix, panels, name }
  const { load, ifLoaded } = lazily(async () => {
    const { createPasswordLayer } = await import('../core/accounts/password-layer.ts')
    return createPasswordLayer({ ...core, ...bound })
  })
  return { passwordLayer: load, mailsSettled: async () => ifLoaded(async (one) => one.settled()) }
}

/** Returns the method that invites users. */
export function inviteMethod(
  { passwordLayer }: BoundPasswords,
  { svc: { panels }, spa: { name } }: Settings,
  { translator, ready }: { readonly translator: Translator; readonly ready: () => unknown },
): PanelAuth['invite'] {
  return async (host, { tenant = null, panel = panels[0] ?? '', language = 'en' } = {}) => {
    if (passwordLayer === null) throw new InvitationError('the option `passwords` is not bound')
    if (!panels.includes(panel)) throw new InvitationError(`there is no panel ${panel}`)
    await ready()
    const { invitation } = passwordMails(translator, language, name)
    await (await passwordLayer()).invite({ host, tenant, panel }, invitation)
  }
}
