import type { PlainReply, PlainRequest } from '../contracts.ts'
import { ConfigError } from '../errors.ts'
import { readGuardOptions } from '../guard-options.ts'
import type { GuardOptions, PanelAuth, Refused, Verdict } from '../service-contract.ts'

/** The options of a guarded page of the host. */
export interface PageGuardOptions extends GuardOptions {
  /**
   * The path of the panel's login page on this site, such as `/admin/main/login`. After the login,
   * the code, the verification and the set-up, the panel redirects back to the guarded page.
   */
  readonly login: string
}

interface NodeTarget {
  readonly url?: string | undefined
  /** The target that Express keeps before a router removes its own path. */
  readonly originalUrl?: string
}

/** Decides about a request whose target the framework knows as `target`. */
export type PageJudge<User> = (request: PlainRequest, target: string) => Promise<Verdict<User>>

/**
 * Creates the decision about pages of the host: as the guard decides, but whoever can go on at the
 * panel is redirected there. Only navigations are redirected; a script gets the refusal of the
 * guard.
 *
 * @throws {ConfigError} An option is wrong.
 */
export function createPageJudge<User>(
  auth: PanelAuth<User>,
  options: PageGuardOptions,
): PageJudge<User> {
  const { login, ...guardOptions } = { ...options }
  const checked = readGuardOptions(guardOptions)
  const loginPage = pathOnSite(login)
  if (loginPage === null) {
    throw new ConfigError(
      `pageGuard: login is ${JSON.stringify(login)}: it must be a path of this site, like "/admin/main/login"`,
    )
  }
  return async (request, target) => {
    const verdict = await auth.guard(request, checked)
    if (verdict.outcome === 'admitted' || !CONTINUED.has(verdict.outcome)) return verdict
    if (!isNavigation(request)) return verdict
    return { ...verdict, reply: toLogin(verdict.reply, request, { loginPage, target }) }
  }
}

/** The outcomes that the user can change at the panel. */
const CONTINUED: ReadonlySet<Refused['outcome']> = new Set([
  'unauthenticated',
  'email-verification-required',
  'two-factor-setup-required',
])

/** Returns whether the response will be shown as a page. Old browsers lack Fetch Metadata. */
function isNavigation(request: PlainRequest): boolean {
  const mode = request.header('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return request.header('accept')?.includes('text/html') ?? false
}

function toLogin(
  { headers }: PlainReply,
  request: PlainRequest,
  { loginPage, target }: { readonly loginPage: string; readonly target: string },
): PlainReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const next = isRead ? pathOnSite(target) : pageOfForm(request)
  const location = new URL(loginPage, ANY_SITE)
  if (next !== null) location.searchParams.set('next', next)
  const { 'content-type': _type, ...kept } = headers
  return {
    status: isRead ? 302 : 303,
    headers: { ...kept, 'content-length': '0', location: location.pathname + location.search },
    body: null,
  }
}

/** Returns the target that the client sent. */
export function originalTarget(request: NodeTarget): string {
  return request.originalUrl ?? request.url ?? '/'
}

/** Returns the page that submitted a form; `null`: it is not known, or of another site. */
function pageOfForm(request: PlainRequest): string | null {
  const referer = request.header('referer') ?? ''
  if (!URL.canParse(referer)) return null
  const { host, pathname, search } = new URL(referer)
  return host === request.header('host') ? pathOnSite(pathname + search) : null
}

const ANY_SITE = 'http://site.invalid'

/**
 * Returns an address of this site as path and query; `null` for any other. Browsers read `//` and
 * `/\` at the start of a path as the beginning of a host.
 */
function pathOnSite(address: unknown): string | null {
  if (typeof address !== 'string' || !address.startsWith('/')) return null
  if (!URL.canParse(address, ANY_SITE)) return null
  const { origin, pathname, search } = new URL(address, ANY_SITE)
  return origin === ANY_SITE && !pathname.startsWith('//') ? pathname + search : null
}
