import { tokenCookie } from '../../../src/rules/wire.ts'
import type { CallAnswer } from './answer.ts'

/** Tokens that the service hands to scripts, which return them in `X-XSRF-TOKEN`. */
export interface CsrfToken<Answer> {
  /**
   * Returns the tokens to try, the likeliest first. There may be several: another application, or
   * an attacker who can plant cookies, may have set one of the same name on a longer path.
   */
  known(): readonly string[]
  /** Remembers an accepted token, to try it first. */
  accept(token: string): void
  /**
   * Fetches a new token; concurrent calls share one request.
   *
   * @param tried The refused tokens. Fetches nothing if another call has already found a new one.
   */
  renew(tried: readonly string[]): Promise<Answer | { readonly outcome: 'ok' }>
  /** Returns the token to send after `renew`. */
  renewed(tried: readonly string[]): string | null
  /** Requests the user, whom the page shows from then on. */
  requestShownUser(): Promise<CallAnswer>
  /** Takes the new token after an answer that has replaced the session of the user. */
  keepShownUser(): void
  /** Forgets the user, before a login. */
  forgetShownUser(): void
  /**
   * Returns the token to send: one that is refused in place of that of another user than the page
   * shows. A token is of one session, so that a login after this check does not change whose
   * request it is.
   */
  checked(token: string | null): Promise<string | null>
}

interface CsrfSource<Answer> {
  /** Site of the service: a script cannot rely on the cookies of another site. */
  readonly site: () => 'own' | 'other'
  /** Makes the service set the cookie, and passes on the token of its header. */
  readonly fetchToken: (keep: (token: string) => void) => Promise<Answer>
  readonly requestUser: () => Promise<CallAnswer>
}

/** The user whom the page shows, with tokens of sessions of this user. */
interface ShownUser {
  readonly id: unknown
  readonly tokens: Set<string>
}

/** No session has this token: the service refuses what is sent with it, which has no effect. */
const REFUSED = 'of-another-user'

/** Number of known tokens to try before fetching a new one. */
const MOST_TRIED = 4

export function createCsrfToken<Answer>({ site, fetchToken, requestUser }: CsrfSource<Answer>) {
  let running: Promise<Answer> | null = null
  let latest: string | null = null
  let isReadable = false
  let shown: ShownUser | null = null
  const isOfShown = (token: string) => shown?.tokens.has(token) === true
  const all = (): readonly string[] => {
    const cookies = tokensInCookies()
    if (latest === null) return cookies
    isReadable ||= cookies.includes(latest)
    // A logout, perhaps in another tab, has removed the cookie: the token was of its session.
    if (isReadable && cookies.length === 0) return []
    const isOnly = cookies.length === 0 || site() === 'other'
    const isCurrent = isOnly || cookies.includes(latest) || isOfShown(latest)
    // Another tab may have logged in since: its cookie is newer than this tab's token.
    return [...new Set(isCurrent ? [latest, ...cookies] : [...cookies, latest])]
  }
  const known = () => all().slice(0, MOST_TRIED)
  const keep = (token: string) => {
    latest = token
  }
  /** Returns the tokens of the browser's session; tries none of an earlier one first. */
  const takeTokens = () => {
    const cookies = tokensInCookies()
    const tokens = cookies.length === 0 || site() === 'other' ? known() : cookies
    if (latest === null || !tokens.includes(latest)) latest = tokens[0] ?? null
    return new Set(tokens)
  }
  const csrf: CsrfToken<Answer> = {
    known,
    accept: keep,
    async renew(tried) {
      const isFound = known().some((token) => !tried.includes(token))
      if (running === null && isFound) return { outcome: 'ok' }
      running ??= fetchToken(keep).finally(() => {
        running = null
      })
      return running
    },
    renewed(tried) {
      if (latest !== null && !tried.includes(latest)) return latest
      const tokens = all()
      return tokens.find((token) => !tried.includes(token)) ?? tokens[0] ?? null
    },
    async requestShownUser() {
      const tokens = takeTokens()
      const answer = await requestUser()
      if (answer.outcome === 'ok') shown = { id: idIn(answer), tokens }
      else if (answer.refusal.status < 429) shown = null
      return answer
    },
    keepShownUser() {
      shown &&= { ...shown, tokens: takeTokens() }
    },
    forgetShownUser() {
      shown = null
    },
    async checked(token) {
      const user = shown
      if (user === null || token === null || user.tokens.has(token)) return token
      const answer = await requestUser()
      const isOther =
        answer.outcome === 'ok' ? idIn(answer) !== user.id : answer.refusal.status !== 401
      if (isOther) return REFUSED
      user.tokens.add(token)
      return token
    },
  }
  return csrf
}

/**
 * Sends with each known token, then with a new one. A request with a refused token had no effect.
 *
 * @param refusalOf Returns the answer of a renewal that failed, which tells more than another 419.
 */
export async function sendWithToken<Answer, Renewal>(
  csrf: CsrfToken<Renewal>,
  send: (token: string | null) => Promise<Answer>,
  isMismatch: (answer: Answer) => boolean | Promise<boolean>,
  refusalOf: (renewal: Renewal | { readonly outcome: 'ok' }) => Answer | null = () => null,
): Promise<Answer> {
  const tried: string[] = []
  for (const token of csrf.known()) {
    const sent = await csrf.checked(token)
    const answer = await send(sent)
    if (sent !== token) return answer
    if (!(await isMismatch(answer))) {
      csrf.accept(token)
      return answer
    }
    tried.push(token)
  }
  return refusalOf(await csrf.renew(tried)) ?? send(await csrf.checked(csrf.renewed(tried)))
}

function idIn({ body }: { readonly body: unknown }): unknown {
  // Users that a host presents without an id are told apart nowhere in the browser.
  return (body as { readonly id: unknown }).id
}

const TOKEN_COOKIE = new RegExp(`(?:^|;\\s*)${tokenCookie}=([^;]+)`, 'g')

function tokensInCookies(): readonly string[] {
  try {
    const values = document.cookie.matchAll(TOKEN_COOKIE)
    return [...new Set([...values].flatMap(([, value = '']) => decoded(value)))]
  } catch {
    // A server has no document, and a sandboxed frame may not read cookies.
    return []
  }
}

function decoded(value: string): readonly string[] {
  try {
    return [decodeURIComponent(value)]
  } catch {
    // The cookie belongs to another application.
    return []
  }
}
