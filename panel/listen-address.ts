/** Requirements for an address in the environment. */
export interface AddressRule {
  readonly protocols: readonly string[]
  /** An example. */
  readonly like: string
  /** The panel's behaviour without it. */
  readonly unset: string
}

/**
 * Splits an address with several hosts, separated by commas, into one address for each.
 *
 * @returns An empty list if one of them is invalid.
 */
export function addressesOf(address: string): readonly URL[] {
  const parts = /^([\w+]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(address)
  if (parts === null) return URL.canParse(address) ? [new URL(address)] : []
  const [, before = '', hosts = '', after = ''] = parts
  const addresses = hosts.split(',').map((host) => `${before}${host}${after}`)
  return addresses.every((one) => URL.canParse(one)) ? addresses.map((one) => new URL(one)) : []
}

/**
 * Reads the address of a server.
 *
 * @returns `null` if the variable is not set.
 * @throws {Error} The message names the variable and the remedy, but not its value, which contains
 *   a password.
 */
export function readAddress(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  { protocols, like, unset }: AddressRule,
): string | null {
  const text = environment[name]
  if (text === undefined) return null
  const [url, ...others] = addressesOf(text)
  // An unencoded slash, `?` or `#` in a password ends the host, and the rest of the password
  // follows it.
  const isWhole = url !== undefined && !/@/.test(url.pathname + url.search + url.hash)
  const mayBeSeveral = url?.protocol.includes('+') === true || others.length === 0
  if (isWhole && mayBeSeveral && protocols.includes(url.protocol)) return text
  throw new Error(
    `${name} is not an address like ${like}: correct it (percent-encode special characters in the password), or unset it to ${unset}`,
  )
}

/** Returns the server's address without user, password and parameters. */
export function locationOf(address: string): string {
  const addresses = addressesOf(address)
  const hosts = addresses.map(({ host }) => host).join(', ')
  const pathname = addresses[0]?.pathname ?? ''
  return `${hosts || 'this machine'}${pathname === '/' ? '' : pathname}`
}
