/** Requirements for the URL of a server in the environment. */
export interface UrlRule {
  readonly protocols: readonly string[]
  /** An example. */
  readonly like: string
  /** The panel's behaviour without it. */
  readonly unset: string
}

/**
 * The protocol, the hosts and the rest of a URL. An unencoded slash, `?` or `#` in a password ends
 * the hosts, and the `@` after the password is then in the rest.
 */
const URL_PARTS = /^([a-z+]+):\/\/([^@/?#]*@)?([^@/?#]*)([/?#][^@]*)?$/

/**
 * Reads the URL of a server; one whose protocol has a plus names several hosts, with commas.
 *
 * @returns `null` if the variable is not set.
 * @throws {Error} The message names the variable and the remedy, but not its value, which contains
 *   a password.
 */
export function readServerUrl(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  { protocols, like, unset }: UrlRule,
): string | null {
  const text = environment[name]
  if (text === undefined) return null
  const [, protocol = '', person = '', hosts = '', rest = ''] = URL_PARTS.exec(text) ?? []
  const each = protocol.includes('+') ? hosts.split(',') : [hosts]
  // Without a host, a driver takes this machine, or the socket that a parameter names.
  const mayLackHost = each.length === 1 && (person === '' || /[?&]host=/.test(rest))
  const isValid = each.every(
    (host) =>
      (host !== '' || mayLackHost) && !host.includes(',') && URL.canParse(`${protocol}://${host}`),
  )
  if (isValid && protocols.includes(protocol)) return text
  throw new Error(
    `${name} is not an address like ${like}: correct it (percent-encode special characters in the password), or unset it to ${unset}`,
  )
}

/** Returns the hosts of a URL and its path, without user, password and parameters. */
export function locationOf(url: string): string {
  const [, , , hosts = '', rest = ''] = URL_PARTS.exec(url) ?? []
  const path = rest.replace(/[?#].*/, '')
  return `${hosts.replaceAll(',', ', ') || 'this machine'}${path === '/' ? '' : path}`
}
