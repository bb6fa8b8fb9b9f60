import { SEED_PASSWORD } from './seed.ts'

/**
 * Minimum length of a password that protects an account without a second factor.
 *
 * @see NIST SP 800-63B-4, section 3.1.1.2: 15 characters for passwords used without a second factor
 */
export const MIN_PASSWORD_CHARACTERS = 15
const MAX_PASSWORD_CHARACTERS = 1024

/** Returns the reason why a password is refused; `null` if it is accepted. */
export function refusalOfPassword(password: string, email: string): string | null {
  // Counts code points, as the service does.
  const { length } = Array.from(password)
  if (length < MIN_PASSWORD_CHARACTERS) {
    return `The password is too short: use at least ${MIN_PASSWORD_CHARACTERS} characters.`
  }
  if (length > MAX_PASSWORD_CHARACTERS) {
    return `The password is too long: use at most ${MAX_PASSWORD_CHARACTERS} characters.`
  }
  if (/\p{Surrogate}/u.test(password)) return 'The password is not valid Unicode text.'
  if (password === SEED_PASSWORD) {
    return 'This password is in the documentation, so everybody knows it: choose another.'
  }
  if (password.toLowerCase().includes(email.toLowerCase())) {
    return 'The password contains the email address: choose another.'
  }
  return new Set(password).size < 5
    ? 'The password repeats the same few characters: choose another.'
    : null
}
