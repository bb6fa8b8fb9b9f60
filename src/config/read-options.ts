import * as v from 'valibot'
import { ConfigError } from '../contracts/errors.ts'
import { isLoopback } from '../core/loopback.ts'
import { asciiDomain, describeUrl, isOrigin } from './addresses.ts'
import { ensureNode } from './node-version.ts'
import { describeFault } from './option-types.ts'
import { optionsSchema, type configSchema } from './options-schema.ts'
import { describeUnknown, keysOf, pathOf } from './unknown-options.ts'
import type { Tenant } from '../contracts/host.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import type { Settings } from './settings.ts'
import { findContradictions, refuseUrl } from './start-checks.ts'

/** The configuration with the defaults of the schema. */
type Config = v.InferOutput<typeof configSchema>

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {ConfigError} names the key and the remedy.
 */
export function readOptions<User>(options: PanelAuthOptions<User>): Settings {
  ensureNode()
  const checked = v.safeParse(optionsSchema, options, ALL_FAULTS)
  if (!checked.success)
    throw new ConfigError([...new Set(checked.issues.flatMap(explain))].join('\n'))
  const settings = settingsOf(checked.output.config)
  const contradictions = findContradictions(options, settings)
  if (contradictions.length > 0) throw new ConfigError(contradictions.join('\n'))
  return settings
}

// All are given because the host may use Valibot, too, and change its defaults.
const ALL_FAULTS = { message: describeFault, abortEarly: false, abortPipeEarly: false } as const

function settingsOf(config: Config): Settings {
  const { url } = config.app
  const safety = { app: config.app, production: isProduction(config) }
  // A host may list app.url as it is: parsing it first would fail with "Invalid URL" instead.
  const stateful = config.session_auth.stateful.map((entry) =>
    entry === url ? new URL(url).host : asciiDomain(entry),
  )
  const baseUrl =
    typeof url === 'string' ? () => url : (tenant: Tenant) => checkedUrl(url(tenant), safety)
  return { ...config, ...safety, baseUrl, session_auth: { stateful } }
}

/** Returns the lines of the message about a fault. */
function explain({ type, expected, path, message }: v.BaseIssue<unknown>): readonly string[] {
  const keys = path?.map(({ key }) => key) ?? []
  if (type === 'strict_object' && expected === 'never') {
    const above = keys.slice(0, -1).map(String)
    return describeUnknown(path?.at(-1)?.input, above, keysOf(optionsSchema))
  }
  return [`${keys.length === 0 ? 'createPanelAuth' : pathOf(keys)}: ${message}`]
}

function checkedUrl(url: string, safety: Pick<Settings, 'production' | 'app'>): string {
  if (!isOrigin(url)) throw new Error(`app.url: what the function returns ${describeUrl(url)}`)
  const complaint = refuseUrl(url, safety)
  if (complaint !== null) throw new Error(complaint)
  return url
}

/**
 * Returns whether the rules of production apply. Of the values of NODE_ENV only `development` and
 * `test` relax them: `prod` or `staging` must not.
 */
function isProduction({ environment, app: { url } }: Config): boolean {
  const named = environment ?? process.env['NODE_ENV'] ?? ''
  if (named !== '') return named !== 'development' && named !== 'test'
  return typeof url !== 'string' || !isLoopback(new URL(url).hostname)
}
