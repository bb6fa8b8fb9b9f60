/** The headers of a request: those of the web, or the object of `node:http`. */
export type RequestHeaders =
  | WebHeaders
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The part of the web's `Headers` that the service reads. */
export interface WebHeaders {
  get(name: string): string | null
}
