/**
 * Characters that a terminal acts on instead of showing them: controls (C0, C1, DEL), and invisible
 * ones that reorder or hide text. The joiners of Persian names and of emoji are kept.
 */
const HARMFUL = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns text as one line that a terminal only shows. Escapes as JSON does, like `\u001b`. */
export function printable(text: string): string {
  return text.replace(HARMFUL, escaped)
}

/**
 * Returns text of several lines, each of them printable. JSON keeps its value: outside of strings
 * it has no harmful characters but its line breaks.
 */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** Escapes every unit of a character as JSON does. */
export function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
