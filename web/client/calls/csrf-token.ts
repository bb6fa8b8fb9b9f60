import { tokenCookie } from '../../../src/rules/wire.ts'
import { isTemporary, type CallAnswer } from './answer.ts'

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
   * Returns `false` if the token may be that of another user than the page shows. A token is of one
   * session, so that a login after this check does not change whose request it is.
   */
  isOfShownUser(token: string | null): Promise<boolean>
  /**
   * Returns what the service answers about the user where it is not the one whom the page shows;
   * `null`: it is the same.
   */
  findOtherUser(): Promise<CallAnswer | null>
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

/**
 * The token to send in place of that of another user. No session has it: the service refuses the
 * request in its own words, as it does one of a page that is out of date.
 */
const REFUSED = 'of-another-user'

/** Number of known tokens to try before fetching a new one. */
const MOST_TRIED = 4

export function createCsrfToken<Answer>({ site, fetchToken, requestUser }: CsrfSource<Answer>) {
  let running: Promise<Answer> | null = null
  let latest: string | null = null
  let isReadable = false
  let shown: ShownUser | null = null
  const all = (): readonly string[] => {
    const cookies = tokensInCookies()
    if (latest === null) return cookies
    isReadable ||= cookies.includes(latest)
    // A logout, perhaps in another tab, has removed the cookie: the token was of its session.
    if (isReadable && cookies.length === 0) return []
    const isOnly = cookies.length === 0 || site() === 'other'
    const isCurrent = isOnly || cookies.includes(latest) || shown?.tokens.has(latest) === true
    // Another tab may have logged in since: its cookie is newer than this tab's token.
    return [...new Set(isCurrent ? [latest, ...cookies] : [...cookies, latest])]
  }
  const known = () => all().slice(0, MOST_TRIED)
  const keep = (token: string) => {
    latest = token
  }
  /** Returns the tokens of the browser's session, and none of an earlier one if it can be read. */
  const currentTokens = () => {
    const cookies = tokensInCookies()
    return new Set(cookies.length === 0 || site() === 'other' ? known() : cookies)
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
      // Before the answer: a login in between would make its token one of the user before it.
      const tokens = currentTokens()
      const answer = await requestUser()
      if (answer.outcome === 'ok') shown = { id: idIn(answer), tokens }
      else if (!isTemporary(answer.refusal)) shown = null
      return answer
    },
    keepShownUser() {
      shown &&= { ...shown, tokens: currentTokens() }
    },
    forgetShownUser() {
      shown = null
    },
    async isOfShownUser(token) {
      const user = shown
      if (user === null || token === null || user.tokens.has(token)) return true
      const answer = await requestUser()
      // A guest changes nothing. Of a session behind a gate, the service does not say whose it is.
      const isSame =
        answer.outcome === 'ok' ? idIn(answer) === user.id : answer.refusal.status === 401
      if (isSame) user.tokens.add(token)
      return isSame
    },
    async findOtherUser() {
      const user = shown
      const tokens = currentTokens()
      if (user === null || [...tokens].every((token) => user.tokens.has(token))) return null
      const answer = await requestUser()
      if (answer.outcome === 'refused' || idIn(answer) !== user.id) return answer
      for (const token of tokens) user.tokens.add(token)
      return null
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
    if (!(await csrf.isOfShownUser(token))) return send(REFUSED)
    const answer = await send(token)
    if (!(await isMismatch(answer))) {
      csrf.accept(token)
      return answer
    }
    tried.push(token)
  }
  const refusal = refusalOf(await csrf.renew(tried))
  if (refusal !== null) return refusal
  const token = csrf.renewed(tried)
  return send((await csrf.isOfShownUser(token)) ? token : REFUSED)
}

function idIn({ body }: { readonly body: unknown }): unknown {
  // If the host sends users without an id, the browser takes all of them for the same user.
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
