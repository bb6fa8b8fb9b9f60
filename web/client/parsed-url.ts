/** Parses an address; `null` for what is none. `URL.canParse` is missing in Safari 16. */
export function parsedUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
