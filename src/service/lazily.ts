/** Loads a part, whose modules its first call loads. The next call after a failure tries again. */
export type Lazy<Part> = (() => Promise<Part>) & {
  /** Resolves once what the part has begun has ended; at once where nothing has used it. */
  readonly settled: () => Promise<void>
}

/** Creates a part that is loaded once. */
export function lazily<Part extends object>(load: () => Promise<Part>): Lazy<Part> {
  let loading: Promise<Part> | null = null
  function begin(): Promise<Part> {
    const begun = load()
    loading = begun
    // A process without a free descriptor cannot read a module now, and can do so later.
    begun.catch(() => (loading = null))
    return begun
  }
  return Object.assign(async () => loading ?? begin(), {
    async settled() {
      const part: { readonly settled?: () => Promise<void> } | null | undefined =
        await loading?.catch(() => null)
      await part?.settled?.()
    },
  })
}
