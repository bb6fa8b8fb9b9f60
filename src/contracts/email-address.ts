import { domainToASCII } from 'node:url'

/**
 * Returns the canonical form by which an email address is counted, looked up and logged, so that no
 * alternative spelling gets a fresh count: trimmed, Unicode NFC, lower case, the domain in ASCII
 * without a trailing dot. Plus tags and dots in the local part make a different address. The
 * function is idempotent.
 *
 * @see docs/http-api.md, "Limits"; RFC 5890
 */
export function canonicalEmail(email: string): string {
  let form = email
  // One step can enable another: a lower-case letter may compose where its capital does not.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = fold(form)
    if (next === form) break
    form = next
  }
  return form
}

const MAX_ROUNDS = 8

function fold(email: string): string {
  const text = email.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const domain = withoutTrailingDots(text.slice(at + 1))
  // A domain without an ASCII form stays as it is; it is still counted and matches no user.
  // `domainToASCII` parses the host of a URL, so it would turn "x.test/1" and "%78.test" into
  // "x.test".
  const ascii = /[#%/?\\]/.test(domain) ? '' : domainToASCII(domain)
  return `${text.slice(0, at)}@${withoutTrailingDots(ascii) || domain}`
}

function withoutTrailingDots(domain: string): string {
  let end = domain.length
  while (domain[end - 1] === '.') end -= 1
  return domain.slice(0, end)
}

/**
 * Returns an email address that its owner recognises and nobody else can use: the first character
 * of the local part and always three dots, so that the length stays hidden too.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = at < 0 ? email : email.slice(0, at)
  return `${first}•••${at < 0 ? '' : email.slice(at)}`
}

/**
 * One local part and one domain without white space, control characters and the `specials` of RFC
 * 5322, section 3.2.3. Mail libraries parse the recipient: a special character could end the
 * address, quote it, or add another recipient.
 */
const MAILABLE = /^[^\p{C}\p{Z}()<>[\]:;@\\,"]+@[^\p{C}\p{Z}()<>[\]:;@\\,"]+$/u

/** Returns whether a mail to this address has exactly this recipient. */
export function isMailable(email: string): boolean {
  return MAILABLE.test(email)
}
