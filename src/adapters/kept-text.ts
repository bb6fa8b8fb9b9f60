/** A byte that is neither valid UTF-8 nor JSON. */
const MALFORMED = Uint8Array.of(0xff)

/**
 * Returns the bytes of a body that a parser has decoded before the service. Parsers replace invalid
 * UTF-8 by U+FFFD, which would make different passwords equal: such a body stays malformed.
 */
export function bytesOfText(text: string): Uint8Array {
  return text.includes('\u{FFFD}') ? MALFORMED : Buffer.from(text)
}

/** Returns the bytes of a body that a parser has read; it may be nested too deep to be written. */
export function bytesOfParsed(body: object): Uint8Array {
  try {
    return bytesOfText(JSON.stringify(body))
  } catch {
    return MALFORMED
  }
}
