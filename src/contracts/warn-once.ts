/** The texts that Node has shown. */
const shown = new Set<string>()

/** Lets Node show a warning, once: most mistakes of a host are in every request. */
export function warnOnce(text: string): void {
  if (!shown.has(text)) process.emitWarning(text)
  shown.add(text)
}
