/** One byte that is no UTF-8, and so no JSON. */
const MALFORMED = Uint8Array.of(0xff)

/**
 * Returns the bytes of a body that a parser before the service has decoded. Parsers put U+FFFD where the bytes were no
 * UTF-8, which would make one password of several: such a body stays malformed.
 */
export function bytesOfText(text: string): Uint8Array {
  return text.includes('\u{FFFD}') ? MALFORMED : Buffer.from(text)
}
