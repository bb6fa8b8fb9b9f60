import { escaped } from '../../rules/printable.ts'

/**
 * Quotes a text and escapes all but ASCII: forms of Unicode that differ look the same on a screen,
 * and some spaces are invisible.
 */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, escaped)
}
