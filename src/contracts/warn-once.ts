/** The texts that Node has shown. */
const shown = new Set<string>()

/** Lets Node show a warning once: what a host does wrong, it does at every request. */
export function warnOnce(text: string): void {
  if (!shown.has(text)) process.emitWarning(text)
  shown.add(text)
}
