/**
 * Returns whether a host name or address refers to this machine only, by RFC 6761, section 6.3, and
 * RFC 5735. An IPv6 address may be in brackets.
 *
 * @example
 * ```ts
 * const { hostname } = new URL('http://localhost:3000')
 * const host = isLoopback(hostname) ? 'localhost' : '0.0.0.0'
 * ```
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}
