import { sizes } from '../../rules/limits.ts'

/** @see NIST SP 800-63B-4, section 3.1.1.2: passwords that are used without a second factor */
const MIN_CHARACTERS = 15
const MIN_DIFFERENT_CHARACTERS = 5

/** Returns the reason why a new password is refused; `null` if it is accepted. */
export function refusalOfPassword(password: string, email: string): string | null {
  // Counts code points, as a login does.
  const { length } = Array.from(password)
  if (length < MIN_CHARACTERS)
    return `The password is too short: use at least ${MIN_CHARACTERS} characters.`
  // A login would refuse them.
  if (length > sizes.passwordCharacters)
    return `The password is too long: use at most ${sizes.passwordCharacters} characters.`
  if (!password.isWellFormed()) return 'The password is not valid Unicode text.'
  if (password.toLowerCase().includes(email.toLowerCase()))
    return 'The password contains the email address: choose another.'
  return new Set(password).size < MIN_DIFFERENT_CHARACTERS
    ? 'The password repeats the same few characters: choose another.'
    : null
}
