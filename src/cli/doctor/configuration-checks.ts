import { isLoopback } from '../../core/loopback.ts'
import { failed, ok, warning, type Check } from '../output/check.ts'
import type { OpenService } from '../command/open-service.ts'

/**
 * Checks the options of a service that has started.
 *
 * @param origin The origin of the front end; `null`: that of `app.url`.
 */
export function checkConfiguration(service: OpenService, origin: string | null): readonly Check[] {
  const { settings, warnings } = service.parts
  return [
    ...warnings.map((text) => warning('configuration', text)),
    checkKeys(settings.app.keys.length),
    checkEnvironment(settings.production),
    ...checkUrl(service),
    ...checkOrigin(service, origin),
    checkProxies(service),
    checkMailer(service),
    ok('bound', boundParts(service)),
  ]
}

function checkKeys(count: number): Check {
  return count === 1
    ? ok('keys', 'one key signs and verifies')
    : ok(
        'keys',
        `the first of ${count} keys signs, all verify; remove the old ones after a rotation`,
      )
}

function checkEnvironment(isProduction: boolean): Check {
  return ok('environment', `the rules of ${isProduction ? 'production' : 'development'} apply`)
}

/** Returns `app.url`; `null` when it is a function of the tenant. */
export function fixedUrl({ parts }: OpenService): URL | null {
  const { url } = parts.options.config.app
  return typeof url === 'string' ? new URL(url) : null
}

function checkUrl(service: OpenService): readonly Check[] {
  const url = fixedUrl(service)
  if (url === null)
    return [ok('address', 'app.url is a function of the tenant; check one with --url')]
  const isHttps = url.protocol === 'https:'
  if (isHttps) return [ok('cookies', `are bound to https and to ${url.host}`)]
  if (isLoopback(url.hostname)) return [ok('cookies', 'over http, on this machine only')]
  return [
    warning(
      'cookies',
      `the session cookie travels in the clear, because app.url is ${url.origin}; give its https address`,
    ),
  ]
}

function checkOrigin(service: OpenService, given: string | null): readonly Check[] {
  const url = fixedUrl(service)
  const origin = given ?? url?.origin ?? null
  if (origin === null) return []
  const reason = refusalOfOrigin(service, origin)
  return [
    reason === null
      ? ok('stateful domains', `cover ${origin}`)
      : failed('stateful domains', reason),
  ]
}

/** Returns why the configuration refuses an origin, with the remedy; `null`: it is listed. */
export function refusalOfOrigin({ parts }: OpenService, origin: string): string | null {
  const { origins, settings } = parts
  const { protocol, host } = new URL(origin)
  const baseUrl = settings.baseUrl(null)
  if (origins.judge(requestFrom(origin), baseUrl).stateful) return null
  const listed = settings.session_auth.stateful.join(', ')
  if (!baseUrl.startsWith(protocol) && origins.covers(`${new URL(baseUrl).protocol}//${host}`))
    return `${origin} is refused: its host is listed, but app.url is ${baseUrl}; use one scheme for both`
  return `session_auth.stateful does not list ${origin} (it lists ${listed}); add ${JSON.stringify(host)}`
}

/** Returns a request of a page with this origin, as browsers send it. */
function requestFrom(origin: string) {
  return {
    method: 'POST',
    target: '/',
    header: (name: string) => (name === 'origin' ? origin : null),
    address: null,
    body: async () => null,
  }
}

function checkProxies(service: OpenService): Check {
  const { trusted_proxies: trustedProxies, address_header: addressHeader } = service.parts.settings
  const url = fixedUrl(service)
  if (trustedProxies.length > 0) return ok('proxies', `trusts ${trustedProxies.join(', ')}`)
  if (addressHeader !== undefined) return ok('proxies', `the client is named by ${addressHeader}`)
  if (url?.protocol === 'https:')
    return warning(
      'proxies',
      'app.url is https and trusted_proxies is empty: behind a proxy, all clients share one address ' +
        'and its limits; list the network of the proxy, like 10.0.0.0/8',
    )
  return ok('proxies', 'none; clients connect to this service directly')
}

function checkMailer({ parts }: OpenService): Check {
  if (parts.options.mailer !== undefined) return ok('mailer', 'is bound')
  return ok('mailer', 'is not bound; users who must verify their email could not')
}

function boundParts({ parts }: OpenService): string {
  const { options, settings, factor } = parts
  const { prefix, panels, middleware, authenticated_middleware: authenticated } = settings.svc
  const pages = settings.spa.off
    ? 'no pages'
    : `panels ${panels.map((panel) => `/${prefix}/${panel}`).join(', ')}`
  const channels = Object.keys(options.channels ?? {})
  return [
    pages,
    factor === null ? 'no second factor' : 'second factor',
    channels.length === 0 ? 'no channels beside the bell' : `channels ${channels.join(', ')}`,
    `${middleware.length + authenticated.length} middleware`,
  ].join('; ')
}
