import type { Logger } from '../contracts/host.ts'
import { isLoopback } from '../core/loopback.ts'
import { ConfigError } from '../contracts/errors.ts'
import { createOrigins, isEntry, type Origins } from '../http/gates/origin.ts'
import type { Settings } from '../config/settings.ts'

/**
 * Creates the origin decision of the stateful domains.
 *
 * @throws {ConfigError} No login would be possible on the pages served at `app.url`.
 */
export function panelOrigins(
  { app, session_auth, production, spa }: Settings,
  logger: Logger,
): Origins {
  const origins = createOrigins(session_auth.stateful, production)
  const { url } = app
  if (typeof url !== 'string' || origins.covers(url)) return origins
  const complaint =
    `session_auth.stateful: does not cover ${url}, which is app.url: nobody can log in on its pages; ` +
    remedyFor(new URL(url))
  if (!spa.off) throw new ConfigError(complaint)
  // An API next to a front end on another listed origin works.
  logger.warn({}, complaint)
  return origins
}

function remedyFor({ host, hostname }: URL): string {
  if (!isEntry(host))
    return `${JSON.stringify(host)} cannot be listed: use a host of letters, digits and hyphens, without a dot at the end`
  return (
    `add ${JSON.stringify(host)}` +
    (isLoopback(hostname)
      ? ' (to a browser, localhost and 127.0.0.1 are different hosts, and the port counts)'
      : '')
  )
}
