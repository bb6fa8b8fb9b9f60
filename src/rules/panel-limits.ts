/*
 * The limits that the panel shows. They have a file of their own, so that browsers load no others.
 */

/** The number of notifications that the bell shows; docs/specification.md, "Limits". */
export const LISTED_NOTIFICATIONS = 20

/** A guess at a code is right with those of every device, so there are few. */
export const MAX_TWO_FACTOR_DEVICES = 5

/** Lifetime of the verification link. */
export const VERIFICATION_MINUTES = 60

/** Lifetime of the link to a new password. */
export const RESET_MINUTES = 60

/**
 * The rules of new passwords: the minimum lengths in code points, where it is the only factor and
 * with a second one, and the minimum of different ones. NIST SP 800-63B-4 has the lengths, section
 * 3.1.1.
 */
export const newPasswords = {
  leastCharacters: 15,
  leastCharactersWithFactor: 8,
  leastDifferentCharacters: 5,
} as const
