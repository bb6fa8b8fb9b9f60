/**
 * Returns whether every database can keep a text as it is: PostgreSQL has no U+0000, and drivers
 * replace half of a surrogate pair by another character.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
