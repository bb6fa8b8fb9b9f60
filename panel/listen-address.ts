/** What an address in the environment has to be. */
export interface AddressRule {
  readonly protocols: readonly string[]
  /** An example of it. */
  readonly like: string
  /** What the panel does without it. */
  readonly unset: string
}

/**
 * Splits an address that may name several hosts, separated by commas, into one address for each.
 *
 * @returns an empty list where one of them is no address.
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
 * @returns null where the variable is not set.
 * @throws {Error} naming the variable and the remedy, and nothing of its value: there is a password in it.
 */
export function readAddress(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  { protocols, like, unset }: AddressRule,
): string | null {
  const text = environment[name]
  if (text === undefined) return null
  const [url, ...others] = addressesOf(text)
  // A slash, a `?` or a `#` in a password ends the host there, and the rest of the password follows.
  const isWhole = url !== undefined && !/@/.test(url.pathname + url.search + url.hash)
  const mayBeSeveral = url?.protocol.includes('+') === true || others.length === 0
  if (isWhole && mayBeSeveral && protocols.includes(url.protocol)) return text
  throw new Error(
    `${name} is no address like ${like}: correct it (percent-encode what is special in the password), or unset it to ${unset}`,
  )
}

/** Tells where the server is, without user and password and whatever else is in the address. */
export function placeOf(address: string): string {
  const addresses = addressesOf(address)
  const hosts = addresses.map(({ host }) => host).join(', ')
  const pathname = addresses[0]?.pathname ?? ''
  return `${hosts || 'this machine'}${pathname === '/' ? '' : pathname}`
}
