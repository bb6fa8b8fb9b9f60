/** An error of a driver, a server or the operating system. */
export interface ServerError extends Error {
  readonly code?: unknown
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
  /** The errors of each address of a host. */
  readonly errors?: readonly ServerError[]
}

/** Returns why a server cannot be reached, with the remedy; `null` for every other error. */
export function unreachableReason(error: ServerError): string | null {
  return REASONS[String(error.code)]?.(error) ?? null
}

/** Messages for the operating system's codes of an unreachable server. */
const REASONS: Readonly<Record<string, (error: ServerError) => string>> = {
  ECONNREFUSED: (error) =>
    `${placeOf(error)} refuses connections; start the server or correct the address (in a container, localhost is the container itself)`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ENOENT: (error) =>
    `there is no socket at ${placeOf(error)}; start the server or correct the path`,
}

function unknownHost({ hostname }: ServerError): string {
  return `${hostname ?? 'it'} is not a known host; correct the host of the address`
}

function placeOf({ errors, address, port }: ServerError): string {
  const [first] = errors ?? []
  if (first !== undefined) return placeOf(first)
  const host = address ?? 'the server'
  return port === undefined ? host : `${host}:${port}`
}
