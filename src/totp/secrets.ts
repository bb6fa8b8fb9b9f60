import { createSealer } from '../contracts/sealed.ts'
import type { StoredForm } from './factor-store.ts'
import { quietForm } from './foreign-form.ts'

/** Opens and seals the secrets of users. */
export interface Secrets extends StoredForm<string> {
  /** Returns the secret as it is to be stored from now on: sealed by the newest key. */
  renew(stored: string, userId: string): string
}

/**
 * That of the binding which hosts copied from the reference panel, so that they keep their secrets.
 */
const PURPOSE = 'panel.totp.v1'

/**
 * Creates the secrets that are sealed with the application keys, each for its user.
 *
 * @throws {ConfigError} No key.
 */
export function sealedSecrets(keys: readonly string[]): Secrets {
  const sealer = createSealer(PURPOSE, keys)
  const newest = createSealer(PURPOSE, keys.slice(0, 1))
  function read(stored: string, userId: string): string {
    const secret = sealer.open(stored, userId)
    if (secret !== null) return secret
    throw new Error(
      `the second factor of the user ${userId} does not open: was its key removed from \`keys\` too early?`,
    )
  }
  return {
    read,
    write: (secret, userId) => sealer.seal(secret, userId),
    renew: (stored, userId) =>
      newest.open(stored, userId) === null ? sealer.seal(read(stored, userId), userId) : stored,
  }
}

/** Creates the secrets in the form of another system, which renews its own. */
export function foreignSecrets(form: StoredForm<string>): Secrets {
  return { ...quietForm(form), renew: (stored) => stored }
}
