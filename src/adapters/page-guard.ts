import type { ServerResponse } from 'node:http'
import type { PlainReply, PlainRequest } from '../contracts/host.ts'
import type { Impersonator } from '../contracts/impersonation.ts'
import { ConfigError } from '../contracts/errors.ts'
import { warnOnce } from '../contracts/warn-once.ts'
import { ensureAuth } from './ensure-auth.ts'
import type {
  GuardOptions,
  PanelAuth,
  Refused,
  RequestHeaders,
  Verdict,
} from '../contracts/service-contract.ts'
import { CONFIRM_PARAMETER, NGINX_NO_CACHE } from '../rules/wire.ts'
import { parseReplyBody } from './reply-body.ts'

/** The options of a guarded page of the host. */
export interface PageGuardOptions extends GuardOptions {
  /**
   * The path of the panel's login page on this site, such as `/admin/main/login`. After the login,
   * the code, the verification and the set-up, the panel redirects back to the guarded page.
   */
  readonly login: string
}

/**
 * `Cache-Control` of what a guard has admitted. Without it, a proxy may store the response to a
 * cookie, unlike one to `Authorization`, and give it to guests; and a browser shows a page again
 * when somebody presses Back after the logout.
 *
 * @see RFC 9111, section 3
 */
const CACHE_CONTROL = { route: 'private, no-cache', page: 'no-store' } as const

const HEADERS = {
  route: Object.entries({ 'cache-control': CACHE_CONTROL.route, ...NGINX_NO_CACHE }),
  page: Object.entries({ 'cache-control': CACHE_CONTROL.page, ...NGINX_NO_CACHE }),
} as const

/** A row of `HEADERS`. */
export type Guarded = keyof typeof HEADERS

/**
 * Returns the headers that keep an admitted response out of caches.
 *
 * @param get Returns a header that the response has. One that the host has set stays.
 */
export function cachingHeaders(
  guarded: Guarded,
  get: (name: string) => unknown,
): readonly (readonly [name: string, value: string])[] {
  return HEADERS[guarded].filter(([name]) => {
    const set = get(name) ?? null
    // A guard of the route may have run before the guard of the page.
    return set === null || set === CACHE_CONTROL.route
  })
}

/** Keeps an admitted response out of caches, unless the host sets a header before or after. */
export function limitCaching(response: ServerResponse, guarded: Guarded): void {
  if (response.headersSent) return
  for (const line of cachingHeaders(guarded, (name) => response.getHeader(name)))
    response.setHeader(...line)
}

/** Decides about a request for a page. */
export type PageJudge<User> = (request: PlainRequest) => Promise<Verdict<User>>

/**
 * Creates the decision about pages of the host: as the guard decides, but a user who can go on at
 * the panel is redirected there. Only navigations are redirected; a script gets the refusal of the
 * guard.
 *
 * @throws {ConfigError} An option is wrong.
 */
export function createPageJudge<User>(
  auth: PanelAuth<User>,
  options: PageGuardOptions,
): PageJudge<User> {
  ensureAuth(auth, 'pageGuard')
  if (typeof options !== 'object')
    throw new ConfigError('pageGuard: give options, like { login: "/admin/main/login" }')
  const { login, ...guardOptions } = options
  const checked = auth.checkGuard(guardOptions)
  const loginPage = checkLogin(login, 'pageGuard')
  return async (request) => {
    const verdict = await auth.guard(request, checked)
    if (verdict.outcome === 'admitted' || !isResolvedAtPanel(verdict)) return verdict
    if (!isNavigation(request)) return verdict
    if (isLoginPage(pathOnSite(request.target), loginPage)) {
      warnOnce(
        `pageGuard: refused the login page itself, ${loginPage}: if browsers do not get it, mount the service before the guard, or leave that page out`,
      )
      return verdict
    }
    return { ...verdict, reply: toPanel(verdict, request, loginPage) }
  }
}

/** The options of `checkPage`. */
export interface PageCheckOptions extends Omit<GuardOptions, 'passive'> {
  /** The path of the panel's login page on this site, such as `/admin/main/login`. */
  readonly login: string
  /**
   * The path and query of the page, to which the panel returns after the login. An address of
   * another site is ignored.
   */
  readonly path: string
}

/** The decision of `checkPage` about a page or an action. */
export type PageVerdict<User> =
  | {
      readonly outcome: 'admitted'
      readonly user: User
      /** The person who acts as the user; absent in the user's own session. */
      readonly impersonator?: Impersonator
    }
  /** The user can go on at the panel: `location` is the path of its login page, with `next`. */
  | { readonly outcome: 'redirect'; readonly location: string }
  /**
   * An error to show: 419 or 403 for an action without its proof, 503 for an outage. `message` is
   * in the user's language.
   */
  | { readonly outcome: 'refused'; readonly status: number; readonly message: string }

/**
 * Checks a page or an action of a framework that has its own redirects and errors, such as a
 * loader, a server component or a server action. Returns the user, the location to redirect to, or
 * the error to show. Only the headers are known, so it checks as `auth.userFrom` does: `csrf` makes
 * it the check of an action, and without `csrf` it proves nothing about an action.
 *
 * Never throws and never rejects, except with a ConfigError about the options.
 *
 * @example
 * ```ts
 * async function requireUser(request: Request, path: string): Promise<User> {
 *   const page = await checkPage(auth, request.headers, { login: '/admin/main/login', path })
 *   if (page.outcome === 'admitted') return page.user
 *   if (page.outcome === 'redirect') throw Response.redirect(new URL(page.location, request.url))
 *   throw new Response(page.message, { status: page.status })
 * }
 * ```
 */
export async function checkPage<User>(
  auth: PanelAuth<User>,
  headers: RequestHeaders,
  options: PageCheckOptions,
): Promise<PageVerdict<User>> {
  const { login, path, ...guardOptions } = { ...options }
  const loginPage = checkLogin(login, 'checkPage')
  const verdict = await auth.userFrom(headers, guardOptions)
  if (verdict.outcome === 'admitted') {
    const { tenant: _tenant, ...admitted } = verdict
    return admitted
  }
  if (isResolvedAtPanel(verdict))
    return { outcome: 'redirect', location: panelLocation(loginPage, verdict, pathOnSite(path)) }
  const { status, body } = verdict.reply
  // A middleware of the host may answer with a redirect or a success. Neither is an error to show.
  return { outcome: 'refused', status: status < 400 ? 403 : status, message: messageIn(body) }
}

function messageIn(body: PlainReply['body']): string {
  const parsed = parseReplyBody(body)
  if (typeof parsed === 'string') return parsed
  return typeof parsed['message'] === 'string' ? parsed['message'] : ''
}

/**
 * Returns the path of the login page.
 *
 * @throws {ConfigError} `login` is not a path of this site.
 */
function checkLogin(login: unknown, caller: 'pageGuard' | 'checkPage'): string {
  const loginPage = pathOnSite(login)
  if (loginPage !== null) return loginPage
  throw new ConfigError(
    `${caller}: login is ${JSON.stringify(login)}: it must be a path of this site, like "/admin/main/login"`,
  )
}

/**
 * Returns whether a redirect would lead to the page itself, which a browser would follow for ever.
 * That is no error: any client can ask a guard for a login page that the service answers, by
 * another spelling of its path, such as `/x/../admin/main/login`.
 */
function isLoginPage(page: string | null, loginPage: string): boolean {
  return page?.split('?', 1)[0] === loginPage.split('?', 1)[0]
}

const RESOLVED_AT_PANEL: ReadonlySet<Refused['outcome']> = new Set([
  'unauthenticated',
  'email-verification-required',
  'two-factor-setup-required',
  'confirmation-required',
])

/**
 * Returns whether the user can resolve the refusal at the panel. Anything else must not redirect:
 * an outage logs nobody out, and a forged action must not look like an expired session.
 */
function isResolvedAtPanel({ outcome }: Refused): boolean {
  return RESOLVED_AT_PANEL.has(outcome)
}

/**
 * Returns whether the response will be shown as a page. Old browsers lack Fetch Metadata, and in
 * Firefox a navigation that a service worker of the host forwards is `same-origin`.
 */
function isNavigation(request: PlainRequest): boolean {
  const mode = request.header('sec-fetch-mode')
  if (mode !== null && mode !== 'same-origin') return mode === 'navigate'
  return request.header('accept')?.includes('text/html') ?? false
}

function toPanel(refused: Refused, request: PlainRequest, loginPage: string): PlainReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const next = isRead ? pathOnSite(request.target) : pageOfForm(request)
  const { 'content-type': _type, ...kept } = refused.reply.headers
  const location = panelLocation(loginPage, refused, next)
  return {
    status: isRead ? 302 : 303,
    headers: { ...kept, 'content-length': '0', location },
    body: null,
  }
}

/** Returns where the user goes on. The panel asks a user to confirm before it leads to the page. */
function panelLocation(loginPage: string, { outcome }: Refused, next: string | null): string {
  const location = new URL(loginPage, ANY_SITE)
  const name = outcome === 'confirmation-required' ? CONFIRM_PARAMETER : 'next'
  if (next !== null || name === CONFIRM_PARAMETER) location.searchParams.set(name, next ?? '')
  return location.pathname + location.search
}

/**
 * Returns the page that submitted a form; `null`: it is not known. The guard has refused a
 * `Referer` of a host that is not listed.
 */
function pageOfForm(request: PlainRequest): string | null {
  const referer = request.header('referer') ?? ''
  if (!URL.canParse(referer)) return null
  const { pathname, search } = new URL(referer)
  return pathOnSite(pathname + search)
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
