import { reasonOf } from './reason-phrase.ts'

/**
 * Returns the URL of a request; `null` if the host must not use it. Servers build it from the
 * client's target and `Host`, and some build the `Request` itself only on use: then a port of
 * 99999, or `http://user@host/` as the target, throws in the middle of a handler.
 */
export function usableUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : null
}

/** Creates the answer to a request whose URL cannot be used. */
export function malformed(): Response {
  return new Response(null, { status: 400, statusText: reasonOf(400) })
}
