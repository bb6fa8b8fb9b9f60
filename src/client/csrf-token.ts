/** The token of `XSRF-TOKEN`, which the service hands to scripts to be sent back in a header. */
export interface CsrfToken<Answer> {
  read(): string | null
  /**
   * Fetches the cookie anew; calls at the same moment share one request.
   *
   * @param stale The token that was refused: when another call has replaced it already, nothing is fetched.
   */
  renew(stale: string | null): Promise<Answer | { readonly outcome: 'ok' }>
}

/** @param fetchCookie Makes the service set the cookie. */
export function createCsrfToken<Answer>(fetchCookie: () => Promise<Answer>): CsrfToken<Answer> {
  let running: Promise<Answer> | null = null
  return {
    read: readToken,
    async renew(stale) {
      if (running === null && readToken() !== stale) return { outcome: 'ok' }
      running ??= fetchCookie().finally(() => {
        running = null
      })
      return running
    },
  }
}

/** Sends with the token, and once more with another where it was refused for the first: nothing else happened then. */
export async function sendWithToken<Answer>(
  csrf: CsrfToken<unknown>,
  send: (token: string | null) => Promise<Answer>,
  isMismatch: (answer: Answer) => boolean | Promise<boolean>,
): Promise<Answer> {
  const token = csrf.read()
  const answer = await send(token)
  if (!(await isMismatch(answer))) return answer
  await csrf.renew(token)
  return send(csrf.read())
}

function readToken(): string | null {
  const value = /(?:^|;\s*)XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1]
  if (value === undefined) return null
  try {
    return decodeURIComponent(value)
  } catch {
    // Somebody else's cookie of this name; the service's own takes its place.
    return null
  }
}
