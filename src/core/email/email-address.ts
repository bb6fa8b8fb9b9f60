import { domainToASCII } from 'node:url'

/**
 * The one form of an email address that it is counted, looked up and logged by, so that no spelling buys a
 * fresh count: trimmed, Unicode NFC, lower case, the domain in ASCII without a trailing dot. Plus tags and dots
 * in the local part are another address. The form of a form is the same form.
 *
 * @see docs/http-api.md, "Limits"; RFC 5890
 */
export function canonicalEmail(email: string): string {
  let form = email
  // One step may make room for another: a lower-case letter may compose where its capital does not.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = folded(form)
    if (next === form) break
    form = next
  }
  return form
}

const MOST_ROUNDS = 8

function folded(email: string): string {
  const text = email.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const domain = withoutTrailingDots(text.slice(at + 1))
  // A domain that has no ASCII form stays as it is: it is counted all the same and finds nobody.
  // `domainToASCII` reads the host of a URL: it would take "x.test/1" and "%78.test" for "x.test".
  const ascii = /[#%/?\\]/.test(domain) ? '' : domainToASCII(domain)
  return `${text.slice(0, at)}@${withoutTrailingDots(ascii) || domain}`
}

function withoutTrailingDots(domain: string): string {
  let end = domain.length
  while (domain[end - 1] === '.') end -= 1
  return domain.slice(0, end)
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
