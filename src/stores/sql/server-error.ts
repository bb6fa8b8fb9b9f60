/** An error of a driver, a server or the operating system. */
export interface ServerError extends Error {
  readonly code?: unknown
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
  /** The call of the operating system that failed. */
  readonly syscall?: string
  /** The errors of each address of a host. */
  readonly errors?: readonly ServerError[]
}

/** Returns why a server cannot be reached, with the remedy; `null` for every other error. */
export function unreachableReason(error: ServerError): string | null {
  return REASONS[String(error.code)]?.(error) ?? certificateReason(error)
}

/** Messages for the operating system's codes of an unreachable server. */
const REASONS: Readonly<Record<string, (error: ServerError) => string | null>> = {
  ECONNREFUSED: (error) =>
    `${placeOf(error)} refuses connections; start the server or correct the address (in a container, localhost is the container itself)`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ENOENT: (error) =>
    error.syscall === 'open'
      ? null
      : `there is no socket at ${placeOf(error)}; start the server or correct the path`,
}

/** Returns the reason by the words of Node, as some drivers replace its code by their own. */
function certificateReason({ message }: ServerError): string | null {
  if (/certificate's altnames/.test(message))
    return `${message}; give the address with a host name that the certificate has`
  if (/certificate (?:has expired|is not yet valid)/.test(message))
    return `${message}; renew it, or correct the clock of this machine`
  return /\bcertificate\b/.test(message) ? `${message}; ${NAME_ITS_AUTHORITY}` : null
}

const NAME_ITS_AUTHORITY =
  'set the environment variable NODE_EXTRA_CA_CERTS to the file with the certificate of its authority, before Node starts'

function unknownHost({ hostname }: ServerError): string {
  return `${hostname ?? 'it'} is not a known host; correct the host of the address`
}

function placeOf({ errors, address, port }: ServerError): string {
  const [first] = errors ?? []
  if (first !== undefined) return placeOf(first)
  const host = address ?? 'the server'
  return port === undefined ? host : `${host}:${port}`
}
