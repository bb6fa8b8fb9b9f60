import { domainToASCII, domainToUnicode } from 'node:url'
import { newPasswords } from '../../rules/panel-limits.ts'
import type { PASSWORD_REFUSALS } from '../../rules/routes/password-rows.ts'
import { loadCommonPasswords } from './common-passwords.ts'

/** The reason why a new password is refused. */
export type PasswordRefusal =
  | { readonly reason: 'short'; readonly minCharacters: number }
  | { readonly reason: Exclude<keyof typeof PASSWORD_REFUSALS, 'short'> }

/** The context of a new password. */
export interface PasswordContext {
  readonly email: string
  readonly name: string | null
  /** The names of the service, such as that of the panel and the host of its address. */
  readonly serviceNames: readonly string[]
  /** True when the second factor of the user is enabled. */
  readonly hasFactor: boolean
}

/**
 * Returns the reason why a new password is refused; `null` if it is accepted. A password is used as
 * it was typed: nothing is cut off or replaced, and no kinds of characters are required. Its
 * characters are counted in the composed form, so that accents typed apart do not count twice.
 *
 * @see NIST SP 800-63B-4, section 3.1.1.2
 */
export async function refusalOfPassword(
  password: string,
  context: PasswordContext,
): Promise<PasswordRefusal | null> {
  const minCharacters = context.hasFactor
    ? newPasswords.leastCharactersWithFactor
    : newPasswords.leastCharacters
  const composed = password.normalize('NFC')
  if (Array.from(composed).length < minCharacters) return { reason: 'short', minCharacters }
  if (new Set(composed).size < newPasswords.leastDifferentCharacters) return { reason: 'repeated' }
  if (isPersonal(composed, context)) return { reason: 'personal' }
  const isCommon = await loadCommonPasswords()
  return isCommon(composed) ? { reason: 'common' } : null
}

/** Shorter names, such as initials, are part of many words. */
const MIN_NAME_CHARACTERS = 3
/** So many letters beside the names make a password of its own. */
const MAX_OTHER_LETTERS = 3

/** Returns whether a password contains the email, or little but names of the user and service. */
function isPersonal(password: string, { email, name, serviceNames }: PasswordContext): boolean {
  const text = plainForm(password)
  const at = email.lastIndexOf('@')
  const [localPart, domain] = [email.slice(0, at), email.slice(at + 1)]
  // A domain is stored in one form, and typed in the other.
  const addresses = [domain, domainToUnicode(domain), domainToASCII(domain)]
    .filter((form) => form !== '')
    .map((form) => plainForm(`${localPart}@${form}`))
  if (addresses.some((address) => text.includes(address))) return true
  const names = [localPart, name ?? '', ...serviceNames]
    .flatMap((full) => full.split(/[^\p{L}\p{M}\p{N}]+/u).concat(full))
    .map(plainForm)
    .filter((one) => one.length >= MIN_NAME_CHARACTERS)
    // A longer name may contain a shorter one.
    .toSorted((one, other) => other.length - one.length)
  let rest = text
  for (const one of names) rest = rest.replaceAll(one, ' ')
  return rest !== text && (rest.match(/\p{L}/gu)?.length ?? 0) <= MAX_OTHER_LETTERS
}

/** Returns a text without case, accents and width: people leave them out of a name. */
function plainForm(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
