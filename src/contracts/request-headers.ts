/** The headers of a request: those of the web, or the object of `node:http`. */
export type RequestHeaders =
  | WebHeaders
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The part of the web's `Headers` that the service reads.
 *
 * @see `PanelAuth` of `@svc/auth`
 */
export interface WebHeaders {
  get(name: string): string | null
}

/**
 * Returns the host of a request over HTTP/2, which names it by a field of its own. Two that differ
 * are no host that is listed.
 *
 * @see RFC 9113, section 8.3.1
 */
export function hostOfHttp2(authority: string, host: string = authority): string {
  return host === authority ? authority : `${authority}, ${host}`
}
