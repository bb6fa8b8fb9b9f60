import { reasonOfError } from '../../contracts/errors.ts'
import { API_PATH } from '../../rules/paths.ts'
import { failed, ok, warning, type Check } from '../output/check.ts'
import { refusalOfOrigin } from './configuration-checks.ts'
import { checkProxy } from './proxy-check.ts'
import type { OpenService } from '../command/open-service.ts'

const TIMEOUT_MS = 10_000
const MAX_DIFFERENCE_SECONDS = 5

/**
 * Checks a running service as a browser would reach it. It sends three reads and one request that
 * is refused for its missing token, so it changes nothing. It learns what any page learns, and with
 * the application key which address the service sees.
 *
 * @param origin The origin of the page.
 * @param service The configuration of this folder explains a refusal; `null`: it cannot be
 *   opened.
 */
export async function checkAddress(
  url: URL,
  origin: string,
  service: OpenService | null,
): Promise<readonly Check[]> {
  const name = url.origin
  try {
    const read = await request(url, '/csrf-cookie', { origin })
    const notServed = checkServed(name, read)
    if (notServed !== null) return [notServed]
    const listed = await checkOriginAt(url, origin, service)
    return [
      ok(name, `answers at ${API_PATH}`),
      checkTime(name, read),
      listed,
      // A refused origin receives no cookies.
      ...(listed.status === 'ok'
        ? [checkCookies(name, url, read), ...(await checkHost(url, origin))]
        : []),
      ...(service === null ? [] : [await probeProxy(url, origin, service)]),
    ]
  } catch (error) {
    return [failed(name, `cannot be reached: ${reasonOfError(error)}`)]
  }
}

interface Sending {
  /** Default: none, as when a browser opens a page. */
  readonly origin?: string
  readonly method?: string
  readonly more?: Readonly<Record<string, string>>
}

async function request(
  url: URL,
  path: string,
  { origin, method = 'GET', more = {} }: Sending,
): Promise<Response> {
  return fetch(new URL(API_PATH + path, url.origin), {
    method,
    headers: { ...(origin !== undefined && { origin }), accept: 'application/json', ...more },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

function checkServed(name: string, { status, headers }: Response): Check | null {
  if (status === 204) return null
  const location = headers.get('location')
  if (location !== null)
    return failed(
      name,
      `redirects ${API_PATH} to ${location}; give that address to app.url, or serve this one`,
    )
  if (status === 503)
    return failed(name, 'answers 503: a store or the users are not available; read its log')
  return failed(
    name,
    `answers ${status} at ${API_PATH}/csrf-cookie: the service is not mounted there, or a proxy does not pass the path on`,
  )
}

/** Checks that a browser keeps the cookies: it refuses `Secure` ones over http. */
function checkCookies(name: string, { protocol, hostname }: URL, { headers }: Response): Check {
  const lines = headers.getSetCookie()
  const areSecure = lines.every((line) => /;\s*secure/i.test(line))
  if (lines.length === 0)
    return failed(name, 'sets no cookie: a proxy removes Set-Cookie; pass it on')
  if (protocol === 'https:' && !areSecure)
    return failed(name, 'sets cookies without Secure over https; give app.url its https address')
  if (protocol === 'http:' && areSecure && hostname !== 'localhost')
    return failed(name, 'sets Secure cookies over http, which a browser drops; use https here')
  return ok(name, 'sets cookies that a browser keeps')
}

/**
 * Checks that the service receives the host of its address, by which it decides about a page that a
 * user opens: such a request names no origin. A front end at another origin opens its own pages.
 */
async function checkHost(url: URL, origin: string): Promise<readonly Check[]> {
  if (origin !== url.origin) return []
  const { headers } = await request(url, '/csrf-cookie', {})
  if (headers.getSetCookie().length > 0) return [ok(url.origin, `receives the host ${url.host}`)]
  return [
    failed(
      url.origin,
      `receives another host than ${url.host}, so a guarded page sends its users back to the login: let the ` +
        'proxy pass on Host as it came, with the port (nginx: proxy_set_header Host $http_host; ' +
        'Apache: ProxyPreserveHost On)',
    ),
  ]
}

function checkTime(name: string, { headers }: Response): Check {
  const time = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(time)) return ok(name, 'does not tell its time')
  const seconds = Math.abs(Math.round((Date.now() - time) / 1000))
  if (seconds <= MAX_DIFFERENCE_SECONDS) return ok(name, 'has the time of this machine')
  return warning(name, `differs by ${seconds} seconds from this machine; run NTP on both`)
}

/** Sends an unsafe request without a token. A listed origin is refused for the token only. */
async function checkOriginAt(
  url: URL,
  origin: string,
  service: OpenService | null,
): Promise<Check> {
  const reply = await request(url, '/logout', { origin, method: 'POST' })
  const key = await keyOf(reply)
  if (key === 'svc::auth.csrf_mismatch') return ok(url.origin, `accepts pages of ${origin}`)
  if (key !== 'svc::auth.origin_mismatch')
    return failed(
      url.origin,
      `answers ${reply.status} to a request of ${origin}; a proxy may have answered it`,
    )
  return failed(url.origin, `refuses pages of ${origin}: ${causeOf(origin, service)}`)
}

/** Asks what the service sees of a request, which it tells only an owner of its key. */
async function probeProxy(url: URL, origin: string, { auth, parts }: OpenService): Promise<Check> {
  try {
    // The time of the stores counts, in case the clocks differ.
    await auth.ready()
  } catch {
    return warning(
      'proxies',
      'the service was not asked which address it sees: that needs its key and its stores in this configuration',
    )
  }
  const more = parts.addressProbe.requestHeaders()
  return checkProxy(url, await request(url, '/csrf-cookie', { origin, more }))
}

function causeOf(origin: string, service: OpenService | null): string {
  const add = `add ${JSON.stringify(new URL(origin).host)} to session_auth.stateful and restart`
  if (service === null) return add
  return (
    refusalOfOrigin(service, origin) ??
    'the configuration of this folder lists it, so the service runs with another one, or a proxy ' +
      'changes Origin or Referer; restart the service, and pass these headers on'
  )
}

async function keyOf(reply: Response): Promise<string | null> {
  const { key } = Object(await reply.json().catch(() => null)) as { readonly key?: unknown }
  return typeof key === 'string' ? key : null
}
