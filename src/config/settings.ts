import type { Middleware, Tenant } from '../contracts/host.ts'
import type { HeldLimits } from '../core/held-open.ts'
import type { VerificationOptions } from '../core/passwords/passwords.ts'
import type { PanelConfig } from '../contracts/options.ts'
import type { Limits } from '../rules/limits.ts'
import type { WrittenPage } from '../rules/panel-settings.ts'

/** The configuration with its defaults filled in. */
export interface Settings {
  readonly baseUrl: (tenant: Tenant) => string
  /** Allows plain http for a public name in production. */
  readonly unsafeHttp: boolean
  readonly keys: readonly string[]
  readonly stateful: readonly string[]
  readonly prefix: string
  readonly panels: readonly string[]
  readonly middleware: readonly Middleware[]
  readonly authenticatedMiddleware: readonly Middleware[]
  readonly lifetimes: { readonly idleMinutes: number; readonly absoluteMinutes: number }
  readonly verificationMinutes: number
  readonly trustedProxies: readonly string[]
  /** In lower case. */
  readonly addressHeader: string | null
  readonly limits: Limits
  readonly streams: HeldLimits
  readonly passwords: Required<VerificationOptions>
  readonly locales: NonNullable<PanelConfig['locales']>
  readonly spa: {
    readonly off: boolean
    readonly changePassword: string | null
    readonly page: Omit<WrittenPage, 'base' | 'release' | 'twoFactor' | 'linkMinutes'>
  }
  readonly production: boolean
}
