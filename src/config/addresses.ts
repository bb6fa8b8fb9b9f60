import { domainToASCII } from 'node:url'
import { describeText, isAsync, quotesFault } from './describe.ts'

const EXAMPLE = 'https://panel.example.com'

/** Returns whether a URL is an origin without a path, of a host that browsers can reach. */
export function isOrigin(url: string): boolean {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false
  const { origin, hostname, port } = new URL(url)
  return origin === url && !hostname.includes('*') && !isPlaceholder(hostname) && port !== '0'
}

/** Returns `true` for the address on which a server listens, and for a variable without a value. */
function isPlaceholder(hostname: string): boolean {
  return ['0.0.0.0', '[::]', 'undefined', 'null', 'nan'].includes(hostname)
}

/** Returns whether a value can be `app.url`: an origin, or a function that returns one at once. */
export function isUrlOption(value: unknown): boolean {
  if (typeof value === 'string') return isOrigin(value)
  return typeof value === 'function' && !isAsync(value)
}

/** Describes a wrong `app.url`, with what to write instead where that can be derived. */
export function describeUrl(value: unknown): string {
  if (isAsync(value)) return 'is async; it must return the origin at once, not a promise'
  if (value instanceof URL) return 'is a URL object; give its origin, as in url.origin'
  const text = typeof value === 'string' ? value.trim() : ''
  const quotes = quotesFault(text)
  if (quotes !== null) return quotes
  const { origin, hostname, port, pathname } = originIn(text)
  const expected = `it must be an origin without a path, like ${EXAMPLE}`
  if (origin === null)
    return `${describeText(value)}; ${expected}, or a function of the tenant that returns one${text === '' ? ': is the variable of the environment set?' : ''}`
  if (hostname.includes('*'))
    return `${describeText(value)}; * stands for no address: name one origin, or give a function of the tenant that returns it`
  if (hostname === '0.0.0.0' || hostname === '[::]')
    return `${describeText(value)}; that is the address to listen on: write the one that browsers open, like "${origin.replace(hostname, 'localhost')}"`
  if (isPlaceholder(hostname) || port === '0')
    return `${describeText(value)}; a variable of the environment has no value: set it to an origin, like ${EXAMPLE}`
  return `${describeText(value)}; ${expected}: write ${JSON.stringify(origin)}${pathname === '/' ? '' : ', and name the path in svc.prefix'}`
}

/** Finds the origin that was meant. */
function originIn(text: string) {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text)
  const guess = text.includes('://') ? text : `${isLocal ? 'http' : 'https'}://${text}`
  if (!/^https?:\/\/[^/]*(?:[.:]|localhost|undefined|null)/i.test(guess) || !URL.canParse(guess))
    return { origin: null, hostname: '', port: '', pathname: '' }
  return new URL(guess)
}

/** Describes a wrong path segment, with what to write instead. */
export function describeSegment(value: unknown, example: string): string {
  const expected = 'it must be one path segment of lower-case letters, digits and "-"'
  if (typeof value !== 'string' || value === '')
    return `${describeText(value)}; ${expected}, like "${example}"`
  const meant = value.toLowerCase().replace(/^\/+|\/+$/g, '')
  const isMeant = /^[a-z0-9][a-z0-9-]*$/.test(meant)
  return `${describeText(value)}; ${expected}: write ${JSON.stringify(isMeant ? meant : example)}`
}

/** Returns whether a text is an address that a page may link to. A script must not be one. */
export function isLink(text: string): boolean {
  return /^(?:https?:\/\/|mailto:)./.test(text) && URL.canParse(text)
}

/** Returns whether a text is a path of this site. Browsers read `//` and `/\` as another host. */
export function isSitePath(text: string): boolean {
  return /^\/(?![/\\])/.test(text)
}

/**
 * Converts an internationalized domain to the ASCII form that browsers send. The checks read this
 * form, in which full-width letters, dots and stars have become ordinary ones.
 */
export function asciiDomain(entry: string): string {
  if (!/\P{ASCII}/u.test(entry)) return entry
  const [, wildcard = '', host = '', port = ''] =
    /^(\*\.)?(.*?)(:\d+)?$/.exec(entry.trim().toLowerCase()) ?? []
  const ascii = domainToASCII(host)
  return ascii === '' ? entry : wildcard + ascii + port
}
