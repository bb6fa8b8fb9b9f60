/** Returns the parsed address; `null` if it is not valid. Safari 16 has no `URL.canParse`. */
export function parsedUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
