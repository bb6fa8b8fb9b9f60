import { domainToASCII } from 'node:url'
import { ConfigError, type PlainRequest } from '../../contracts.ts'
import { isLoopback } from '../../core/loopback.ts'

/** An entry of `session_auth.stateful`. */
interface Entry {
  /** One or more whole labels may stand before `host`. */
  readonly wildcard: boolean
  readonly host: string
  readonly port: string | null
}

/** Where a request came from, as far as its headers tell. */
export type Provenance =
  /** `crossOrigin`: from a listed origin that is not the panel's own, such as a dev server. */
  | { readonly stateful: true; readonly crossOrigin: string | null }
  | { readonly stateful: false; readonly because: 'unlisted'; readonly origin: string }
  | { readonly stateful: false; readonly because: 'unnamed' | 'cross-site' }

export interface Origins {
  /** Says whether pages of `app.url` itself are stateful; without that nobody can log in. */
  covers(baseUrl: string): boolean
  /** @param baseUrl `app.url` of the tenant: bare entries stand for its scheme. */
  judge(request: PlainRequest, baseUrl: string): Provenance
}

// `Origin` is compared as the string it must be: parsing would turn look-alikes into what they imitate.
const ORIGIN = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/
const REFERER = /^(https?:\/\/[a-z0-9.:[\]-]+)(?:[/?#]\S*)?$/
const ENTRY = /^(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/
const DEFAULT_PORT = { http: '80', https: '443' } as const
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method promises to change nothing; RFC 9110, section 9.2.1. */
export function isSafe(method: string): boolean {
  return SAFE.has(method)
}

/**
 * Judges where requests come from. Every signal that is present has to be right; fetch metadata is only ever a
 * reason to refuse.
 *
 * @throws {ConfigError} An entry cannot be read.
 * @see docs/http-api.md, "Stateful requests and CSRF"; W3C Fetch Metadata
 */
export function createOrigins(stateful: readonly string[], production: boolean): Origins {
  const entries = stateful.filter((entry) => entry.trim() !== '').map(readEntry)
  if (entries.length === 0) {
    throw new ConfigError(
      'session_auth.stateful: is blank: list the domain of the panel, like panel.example.com',
    )
  }

  function isListed(origin: string, baseUrl: string): boolean {
    const [, scheme, host, port] = ORIGIN.exec(origin) ?? []
    if (host === undefined || (scheme !== 'http' && scheme !== 'https')) return false
    if (port === DEFAULT_PORT[scheme]) return false
    const ofPanel = baseUrl.startsWith(`${scheme}:`)
    if (!ofPanel && !(scheme === 'http' && !production && isLoopback(host))) return false
    return entries.some((entry) =>
      matches(entry, host, port ?? DEFAULT_PORT[scheme], DEFAULT_PORT[scheme]),
    )
  }

  function judge(request: PlainRequest, baseUrl: string): Provenance {
    const safe = isSafe(request.method)
    const host = request.header('host') ?? ''
    const own = (): string | null => ownOrigin(host, baseUrl, isListed)
    if (safe && request.header('sec-fetch-mode') === 'navigate') return panelItself(own(), host)
    const origin = request.header('origin')
    const referer = refererOf(request)
    const named = [origin, referer === null ? null : refererOrigin(referer)].filter(
      (one) => one !== null,
    )
    for (const one of named)
      if (!isListed(one, baseUrl)) return { stateful: false, because: 'unlisted', origin: one }
    const site = request.header('sec-fetch-site')
    if (site === 'cross-site' || (site === 'same-site' && origin === null)) {
      return { stateful: false, because: 'cross-site' }
    }
    const [first] = named
    if (first === undefined) return panelItself(own(), host)
    return {
      stateful: true,
      crossOrigin: origin === null || origin === baseUrl || origin === own() ? null : origin,
    }
  }

  return { judge, covers: (baseUrl) => isListed(baseUrl, baseUrl) }
}

function panelItself(own: string | null, host: string): Provenance {
  if (own !== null) return { stateful: true, crossOrigin: null }
  return host === ''
    ? { stateful: false, because: 'unnamed' }
    : { stateful: false, because: 'unlisted', origin: host }
}

/** The origin that a request's own `Host` stands for, where that is listed. */
function ownOrigin(
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
 * Returns the `Referer` of a request. A page without an address of its own, and a proxy that removes the value, say
 * nothing about where the request came from: such a request is judged as one without the header, by its own `Host`,
 * and an unsafe one needs its token all the same.
 */
function refererOf(request: PlainRequest): string | null {
  const referer = request.header('referer')
  return referer === '' || referer === 'about:blank' ? null : referer
}

function refererOrigin(referer: string): string {
  return REFERER.exec(referer)?.[1] ?? referer
}

function matches(entry: Entry, host: string, port: string, defaultPort: string): boolean {
  if ((entry.port ?? defaultPort) !== port) return false
  return entry.wildcard
    ? host.endsWith(`.${entry.host}`) && !host.startsWith('.')
    : host === entry.host
}

function readEntry(text: string): Entry {
  const [, wildcard, host, port] = ENTRY.exec(inAscii(text.trim().toLowerCase())) ?? []
  if (host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) {
    throw new ConfigError(
      `session_auth.stateful: ${JSON.stringify(text)} cannot be read. ` +
        'Write host, host:port or *.host, without a scheme, a path or a slash.',
    )
  }
  return { wildcard: wildcard !== undefined, host, port: port ?? null }
}

/** A domain may be listed as people write it; it is compared as browsers send it. */
function inAscii(entry: string): string {
  const [, wildcard = '', host = '', port = ''] = /^(\*\.)?(.*?)(:\d+)?$/.exec(entry) ?? []
  return /\P{ASCII}/u.test(host) ? wildcard + domainToASCII(host) + port : entry
}
