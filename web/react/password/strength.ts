/** The strength of a password, in words. */
export type Strength = 'short' | 'weak' | 'good' | 'strong'

/** From this many characters on, repetitions not counted, a password is strong. */
const STRONG_FROM = 20

/**
 * Estimates a password while it is typed, by its length and its repetitions. It knows no words: the
 * policy of the service decides, with its list of common passwords.
 *
 * @param least The minimum length that the service accepts.
 */
export function strengthOf(password: string, least: number): Strength {
  // Code points, as the service counts them.
  const characters = Array.from(password.normalize('NFC'))
  if (characters.length < least) return 'short'
  const surprising = countSurprising(characters)
  if (surprising < Math.min(least, 12)) return 'weak'
  return surprising < STRONG_FROM ? 'good' : 'strong'
}

/**
 * Counts the characters that do not follow from those before: a repeated one, the next of an
 * alphabet, or one of a block that is repeated.
 */
function countSurprising(characters: readonly string[]): number {
  const seen = new Set<string>()
  let count = 0
  for (const [at, character] of characters.entries()) {
    const block = characters.slice(Math.max(0, at - 2), at + 1).join('')
    const isFirst = !seen.has(block)
    seen.add(block)
    if (isFirst && !follows(characters[at - 1], character)) count += 1
  }
  return count
}

/** Returns `true` for `aa`, `ab` and `ba`. */
function follows(before: string | undefined, character: string): boolean {
  if (before === undefined) return false
  return Math.abs((before.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0)) <= 1
}
