import { refusalOfPassword, type PasswordRefusal } from '../../core/accounts/password-policy.ts'
import { sizes } from '../../rules/limits.ts'
import { newPasswords } from '../../rules/panel-limits.ts'

/**
 * Returns the reason why a new password is refused; `null` if it is accepted. The rules are those
 * of the panel, for a user without a second factor.
 *
 * @param serviceName The name of the panel.
 */
export async function reasonAgainst(
  password: string,
  email: string,
  serviceName: string,
): Promise<string | null> {
  // A login would refuse them.
  if (Array.from(password).length > sizes.passwordCharacters)
    return `The password is too long: use at most ${sizes.passwordCharacters} characters.`
  if (!password.isWellFormed()) return 'The password is not valid Unicode text.'
  const context = { email, name: null, serviceNames: [serviceName], hasFactor: false }
  const refusal = await refusalOfPassword(password, context)
  return refusal === null ? null : REASONS[refusal.reason]
}

const REASONS: Readonly<Record<PasswordRefusal['reason'], string>> = {
  short: `The password is too short: use at least ${newPasswords.leastCharacters} characters.`,
  repeated: 'The password repeats the same few characters: choose another.',
  personal: 'The password contains the email address, or little but names: choose another.',
  common: 'The password is one that many people use: choose another.',
  refused: 'The password is refused: choose another.',
}
