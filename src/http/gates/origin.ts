import type { PlainRequest } from '../../contracts/host.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { isLoopback } from '../../core/loopback.ts'
import { isSafe } from '../../rules/wire.ts'

/** An entry of `session_auth.stateful`. */
interface OriginEntry {
  /** One or more whole labels may stand before `host`. */
  readonly wildcard: boolean
  readonly host: string
  readonly port: string | null
}

/** The result of the origin decision. Cookies are read from stateful requests only. */
export type Provenance =
  /**
   * `crossOrigin`: the listed origin of another host, such as a dev server; `null`: the panel's
   * own.
   */
  | { readonly stateful: true; readonly crossOrigin: string | null }
  | { readonly stateful: false; readonly because: 'unlisted'; readonly origin: string }
  | { readonly stateful: false; readonly because: 'unnamed' | 'cross-site' }

export interface Origins {
  /** Returns whether pages of `app.url` are stateful. If they are not, no user can log in. */
  covers(baseUrl: string): boolean
  /**
   * Decides whether a request is stateful.
   *
   * @param baseUrl `app.url` of the tenant. Its scheme applies to the entries, which have none.
   */
  judge(request: PlainRequest, baseUrl: string): Provenance
}

// Browsers serialize origins in one form, so the text is matched and never parsed: a URL parser
// normalizes look-alikes, such as full-width letters, to the host that they imitate.
const ORIGIN = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/
const REFERER = /^(https?:\/\/[a-z0-9.:[\]-]+)(?:[/?#]\S*)?$/
const ENTRY = /^(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/
const DEFAULT_PORT = { http: '80', https: '443' } as const

/**
 * Creates the origin decision. Every header that is present must agree. Fetch Metadata alone never
 * admits an unsafe request: it is a reason to refuse, because older browsers do not send it.
 *
 * @throws {ConfigError} An entry cannot be read.
 * @see docs/http-api.md, "Stateful requests and CSRF"; W3C Fetch Metadata
 */
export function createOrigins(stateful: readonly string[], production: boolean): Origins {
  const entries = stateful.filter((entry) => entry.trim() !== '').map(readEntry)
  if (entries.length === 0)
    throw new ConfigError(
      'session_auth.stateful: is blank: list the domain of the panel, like panel.example.com',
    )

  function isListed(origin: string, baseUrl: string): boolean {
    const [, scheme, host, port] = ORIGIN.exec(origin) ?? []
    // Assumption: browsers send a lower-case ASCII origin. Remaining risk: `null`, which sandboxed
    // frames, files and some redirects send, hides the sender. Mitigation: it has no host and is
    // refused like every other text that is not an origin.
    if (host === undefined || (scheme !== 'http' && scheme !== 'https')) return false
    // Assumption: browsers leave out the default port, so no browser sent this text. Remaining
    // risk: a proxy that adds the port locks its users out. Mitigation: the origin of a refused
    // unsafe request is logged.
    if (port === DEFAULT_PORT[scheme]) return false
    const hasPanelScheme = baseUrl.startsWith(`${scheme}:`)
    // Assumption: a network attacker controls every http page, also one of a listed host. Remaining
    // risk: other programs of a developer's machine serve pages on loopback. Mitigation: loopback
    // over http is an exception of development only, and its host must be listed as well.
    if (!hasPanelScheme && !(scheme === 'http' && !production && isLoopback(host))) return false
    return entries.some((entry) =>
      matches(entry, host, port ?? DEFAULT_PORT[scheme], DEFAULT_PORT[scheme]),
    )
  }

  function judge(request: PlainRequest, baseUrl: string): Provenance {
    const host = request.header('host') ?? ''
    const hostOrigin = (): string | null => listedHostOrigin(host, baseUrl, isListed)

    // Assumption: the user follows a link, perhaps from another site, and scripts cannot set this
    // header. Remaining risk: another site can navigate the browser to any GET route with the
    // session cookie, which may extend the idle time of the session. Mitigation: safe methods
    // change nothing else on behalf of the user (the verification link carries its own signature),
    // the other site cannot read the response, and no site can frame it.
    if (isSafe(request.method) && request.header('sec-fetch-mode') === 'navigate')
      return decideByHost(hostOrigin(), host)

    const origin = request.header('origin')
    const referer = refererOf(request)
    const claimed = [origin, referer === null ? null : originOfReferer(referer)].filter(
      (one) => one !== null,
    )
    for (const one of claimed) {
      // Assumption: scripts cannot set `Origin`, and can only shorten or remove `Referer`, so a
      // page of this origin sent the request. Remaining risk: a client that is not a browser claims
      // a listed origin, or a proxy rewrites the headers of a user. Mitigation: the former has no
      // cookie of a user; for the latter, the origin of a refused unsafe request is logged.
      if (!isListed(one, baseUrl)) return { stateful: false, because: 'unlisted', origin: one }
    }

    const site = request.header('sec-fetch-site')
    // Assumption: scripts cannot set this header. A listed page of the same site names itself in
    // `Origin`; a sibling host that is not listed may hide by sending neither `Origin` nor
    // `Referer`. Remaining risk: older browsers do not send the header, and no browser sends it to
    // plain http. Mitigation: the checks of `Origin`, `Referer` and `Host`, and the token of unsafe
    // requests. `SameSite=Lax` keeps the cookie out of most requests of other sites, but not of
    // sibling hosts.
    if (site === 'cross-site' || (site === 'same-site' && origin === null))
      return { stateful: false, because: 'cross-site' }

    // Assumption: browsers send `Origin` with every cross-origin request that is unsafe, so this
    // one is same-origin, safe, or not from a browser. Remaining risk: a proxy removes both headers
    // from a forged request. Mitigation: `Host` must be listed, unsafe requests need their token,
    // and the other site cannot read the response, which carries no CORS headers.
    if (claimed.length === 0) return decideByHost(hostOrigin(), host)

    // Assumption: the operator controls every listed host. Remaining risk: a script that is
    // injected into one acts for the user, because CORS lets it read the token. Mitigation: none
    // here; entries match whole labels and the scheme of the panel, so that no other host is listed
    // by accident.
    const isPanel = origin === null || origin === baseUrl || origin === hostOrigin()
    return { stateful: true, crossOrigin: isPanel ? null : origin }
  }

  return { judge, covers: (baseUrl) => isListed(baseUrl, baseUrl) }
}

/** Decides by `Host` about a request whose other headers do not name an origin to check. */
function decideByHost(hostOrigin: string | null, host: string): Provenance {
  // Assumption: browsers send the host of the address that they requested, and scripts cannot set
  // it. A page that uses DNS rebinding sends its own host, which is not listed. Remaining risk: a
  // proxy that replaces `Host` makes this check meaningless. Mitigation: browsers bind the cookies
  // to the real host, and unsafe requests need their token.
  if (hostOrigin !== null) return { stateful: true, crossOrigin: null }
  // Assumption: browsers always send `Host`. Remaining risk: a proxy that removes it locks its
  // users out. Mitigation: nothing is guessed in its place, so the failure is closed and seen at
  // once.
  if (host === '') return { stateful: false, because: 'unnamed' }
  // Assumption: the request was meant for another host. Remaining risk: the operator forgot to list
  // the host. Mitigation: the host of a refused unsafe request is logged with the setting to
  // change.
  return { stateful: false, because: 'unlisted', origin: host }
}

/**
 * Returns the origin that `Host` stands for; `null`: it is not listed. The request does not tell
 * its scheme, so both the scheme of `app.url` and http, for development, are tried.
 */
function listedHostOrigin(
  host: string,
  baseUrl: string,
  isListed: (origin: string, baseUrl: string) => boolean,
): string | null {
  const scheme = baseUrl.startsWith('https:') ? 'https' : 'http'
  for (const origin of [`${scheme}://${host}`, `http://${host}`])
    if (isListed(origin, baseUrl)) return origin
  return null
}

/**
 * Returns the `Referer` of a request; `null`: the header names no page.
 *
 * Assumption: an empty value and `about:blank` come from a proxy that removes the value or a page
 * without an address. Remaining risk: they hide the sender. Mitigation: the request is treated as
 * one without the header, so `Host` decides and an unsafe request needs its token.
 */
function refererOf(request: PlainRequest): string | null {
  const referer = request.header('referer')
  return referer === '' || referer === 'about:blank' ? null : referer
}

function originOfReferer(referer: string): string {
  return REFERER.exec(referer)?.[1] ?? referer
}

function matches(entry: OriginEntry, host: string, port: string, defaultPort: string): boolean {
  if ((entry.port ?? defaultPort) !== port) return false
  return entry.wildcard
    ? host.endsWith(`.${entry.host}`) && !host.startsWith('.')
    : host === entry.host
}

/** Returns whether an entry can name a host. None names one with `_` or with a dot at its end. */
export function isEntry(host: string): boolean {
  return ENTRY.test(host)
}

function readEntry(text: string): OriginEntry {
  const [, wildcard, host, port] = ENTRY.exec(text.trim().toLowerCase()) ?? []
  if (host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1)
    throw new ConfigError(
      `session_auth.stateful: ${JSON.stringify(text)} cannot be read; ` +
        `write host, host:port or *.host, without a scheme, a path or a slash${meantBy(text)}`,
    )
  return { wildcard: wildcard !== undefined, host, port: port ?? null }
}

/** Returns what to write in place of a wrong entry, as the end of a message. */
function meantBy(text: string): string {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  if (parts.length > 1)
    return `, one host in each entry: ${parts.map((part) => JSON.stringify(part)).join(', ')}`
  const host = text
    .trim()
    .replace(/^\w+:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase()
  return host !== text && ENTRY.test(host) ? `: write ${JSON.stringify(host)}` : ''
}
