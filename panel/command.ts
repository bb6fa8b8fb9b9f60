/** Runs a command. An error ends it with 1, and its reason is one line on standard error. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    console.error(reasonOf(error))
    process.exit(1)
  })
}

/**
 * Returns the reason of an error for a log. Drivers leave messages empty and hide the reason in the
 * cause.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = error.message || ('code' in error ? String(error.code) : error.name)
  const cause = error.cause === undefined ? '' : reasonOf(error.cause)
  return said.includes(cause) ? said : `${said}: ${cause}`
}
