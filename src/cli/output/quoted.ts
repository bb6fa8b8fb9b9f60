/**
 * Quotes a text and escapes all but ASCII: forms of Unicode that differ look the same on a screen,
 * and some spaces are invisible.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
