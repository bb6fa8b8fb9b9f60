import { times } from '../../rules/limits.ts'

const SESSION_ID = /^[\w-]{43}$/

/** The cookies of one service: their names and attributes follow from the scheme of `app.url`. */
export interface Cookies {
  /** The session id that a request presents; `null`: none, malformed, or more than one. */
  read(header: string | null): string | null
  /** The device cookie as it came; `null`: none, or more than one. */
  readDevice(header: string | null): string | null
  /** The `Set-Cookie` line that gives out a device cookie. Logging out leaves it: the browser stays known. */
  giveDevice(value: string): string
  /** `Set-Cookie` lines that give out a session and its token. `null` leaves a cookie as it is. */
  give(sessionId: string | null, token: string): readonly string[]
  /** `Set-Cookie` lines that make both expire. */
  expire(): readonly string[]
}

/** Returns the names of the cookies; browsers hold cookies of the prefixed names to https, this host and all paths. */
export function cookieNames(https: boolean) {
  return {
    session: https ? '__Host-Http-svc_session' : 'svc_session',
    device: https ? '__Host-svc_device' : 'svc_device',
    /** A name without a prefix, because clients such as axios and Angular look for it. */
    token: 'XSRF-TOKEN',
  } as const
}

/** @see docs/http-api.md, "Cookies"; RFC 6265bis, section 4.1.3 (name prefixes) */
export function createCookies(https: boolean): Cookies {
  const names = cookieNames(https)
  const common = `; Path=/; SameSite=Lax${https ? '; Secure' : ''}`
  const session = (value: string): string => `${names.session}=${value}${common}; HttpOnly`
  const xsrf = (value: string): string => `${names.token}=${value}${common}`
  return {
    read: (header) => wellFormed(header === null ? null : only(header, names.session)),
    readDevice: (header) => (header === null ? null : only(header, names.device)),
    giveDevice: (value) =>
      `${names.device}=${value}${common}; HttpOnly; Max-Age=${times.knownPlaceSeconds}`,
    give: (sessionId, token) =>
      sessionId === null ? [xsrf(token)] : [session(sessionId), xsrf(token)],
    expire: () => [`${session('')}; Max-Age=0`, `${xsrf('')}; Max-Age=0`],
  }
}

function wellFormed(value: string | null): string | null {
  return value !== null && SESSION_ID.test(value) ? value : null
}

/** The value of a cookie that came once. Two of the same name: one of them was planted, so neither counts. */
function only(header: string, name: string): string | null {
  let found: string | null = null
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at < 0 || trimBlanks(pair.slice(0, at)) !== name) continue
    if (found !== null) return null
    found = trimBlanks(pair.slice(at + 1))
  }
  return found
}

/**
 * Strips space and tab, and nothing else: `trim()` would also strip characters that are part of a name, such as U+00A0.
 * Browsers protect the prefix `__Host-` only where a name starts with it, so that a sibling subdomain may set
 * `\u00a0__Host-…`; that cookie must never pass for ours.
 *
 * @see RFC 6265, section 5.2
 */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
