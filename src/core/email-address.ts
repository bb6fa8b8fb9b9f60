import { domainToASCII } from 'node:url'

/**
 * The one form of an email address that it is counted, looked up and logged by, so that no spelling buys a
 * fresh count: trimmed, Unicode NFC, lower case, the domain in ASCII without a trailing dot. Plus tags and dots
 * in the local part are another address.
 *
 * @see http-contract.md, "Limits"; RFC 5890
 */
export function canonicalEmail(email: string): string {
  const folded = email.trim().normalize('NFC').toLowerCase()
  const at = folded.lastIndexOf('@')
  if (at < 0) return folded
  const domain = folded.slice(at + 1).replace(/\.$/, '')
  // A domain that has no ASCII form stays as it is: it is counted all the same and finds nobody.
  // `domainToASCII` reads the host of a URL: it would take "x.test/1" and "%78.test" for "x.test".
  const ascii = /[#%/?\\]/.test(domain) ? '' : domainToASCII(domain)
  return `${folded.slice(0, at)}@${ascii || domain}`
}

/**
 * Returns an email address that its owner recognises and a bystander cannot use: the first character of the local
 * part, then always three dots, so that its length is not revealed either.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = at < 0 ? email : email.slice(0, at)
  return `${first}•••${at < 0 ? '' : email.slice(at)}`
}
