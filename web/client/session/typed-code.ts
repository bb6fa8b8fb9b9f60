const DIGIT = /[\uFF10-\uFF19\u0660-\u0669\u06F0-\u06F9]/g
const SEPARATOR = /[\s\p{Pd}]/gu
/** Such as marks of direction, which come along when a code is copied from a message. */
const INVISIBLE = /\p{Cf}/gu

/**
 * Normalises a typed code: removes blanks and hyphens, converts full-width and Arabic digits. Input
 * that is not a number may be a recovery code and stays as it is.
 */
export function normalizeTypedCode(typed: string): string {
  // The last four bits of each of these digits are its value.
  const plain = typed.replaceAll(DIGIT, (digit) => String(digit.charCodeAt(0) & 15))
  const digits = visibleOf(plain).replaceAll(SEPARATOR, '')
  return /^\d+$/.test(digits) ? digits : visibleOf(typed)
}

/** Returns what a user sees of a code, without blanks around it. */
export function visibleOf(typed: string): string {
  return typed.replaceAll(INVISIBLE, '').trim()
}
