/** The tokens that the service hands to scripts, to be sent back in the header `X-XSRF-TOKEN`. */
export interface CsrfToken<Answer> {
  /**
   * Returns the tokens to try, the likeliest first. There may be several: another application, or somebody who can
   * plant cookies, may have set one of the same name on a longer path.
   */
  known(): readonly string[]
  /** Remembers a token that the service took, which is then tried first. */
  accept(token: string): void
  /**
   * Fetches a new token; calls at the same moment share one request.
   *
   * @param tried The tokens that were refused: where another call has found a new one, nothing is fetched.
   */
  renew(tried: readonly string[]): Promise<Answer | { readonly outcome: 'ok' }>
  /** Returns the token to send after `renew`. */
  renewed(tried: readonly string[]): string | null
}

interface CsrfSource<Answer> {
  /** Where the service is: the cookies of another site are not its own, if they can be read at all. */
  readonly site: () => 'own' | 'other'
  /** Makes the service set the cookie, and hands over the token that its header carries. */
  readonly fetchToken: (keep: (token: string) => void) => Promise<Answer>
}

/** So many requests are tried with tokens at hand, before a new one is fetched. */
const MOST_TRIED = 4

export function createCsrfToken<Answer>({ site, fetchToken }: CsrfSource<Answer>) {
  let running: Promise<Answer> | null = null
  let latest: string | null = null
  const all = (): readonly string[] => {
    const cookies = tokensInCookies()
    if (latest === null) return cookies
    const isCurrent = cookies.length === 0 || cookies.includes(latest) || site() === 'other'
    // Another tab may have logged in since: then the cookie is newer than what this tab remembers.
    return [...new Set(isCurrent ? [latest, ...cookies] : [...cookies, latest])]
  }
  const known = () => all().slice(0, MOST_TRIED)
  const keep = (token: string) => {
    latest = token
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
  }
  return csrf
}

/** Sends with each known token, and once more with a new one: a request that is refused for its token does nothing. */
export async function sendWithToken<Answer>(
  csrf: CsrfToken<unknown>,
  send: (token: string | null) => Promise<Answer>,
  isMismatch: (answer: Answer) => boolean | Promise<boolean>,
): Promise<Answer> {
  const tried: string[] = []
  for (const token of csrf.known()) {
    const answer = await send(token)
    if (!(await isMismatch(answer))) {
      csrf.accept(token)
      return answer
    }
    tried.push(token)
  }
  await csrf.renew(tried)
  return send(csrf.renewed(tried))
}

function tokensInCookies(): readonly string[] {
  if (typeof document === 'undefined') return []
  const values = document.cookie.matchAll(/(?:^|;\s*)XSRF-TOKEN=([^;]+)/g)
  return [...new Set([...values].flatMap(([, value = '']) => decoded(value)))]
}

function decoded(value: string): readonly string[] {
  try {
    return [decodeURIComponent(value)]
  } catch {
    // Another application's cookie of this name.
    return []
  }
}
