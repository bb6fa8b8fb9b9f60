/** What an address in the environment has to be. */
export interface AddressRule {
  readonly protocols: readonly string[]
  /** An example of it. */
  readonly like: string
  /** What the panel does without it. */
  readonly unset: string
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
  const url = URL.canParse(text) ? new URL(text) : null
  // A slash, a `?` or a `#` in a password ends the host there, and the rest of the password follows.
  const isWhole = url !== null && !/@/.test(url.pathname + url.search + url.hash)
  if (isWhole && protocols.includes(url.protocol)) return text
  throw new Error(
    `${name} is no address like ${like}: correct it (percent-encode what is special in the password), or unset it to ${unset}`,
  )
}

/** Tells where the server is, without user and password and whatever else is in the address. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host || 'this machine'}${pathname === '/' ? '' : pathname}`
}
