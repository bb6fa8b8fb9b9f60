/** A part whose modules its first use loads. */
export interface Lazy<Part> {
  /** Loads the part once. The next use after a failure tries again. */
  readonly load: () => Promise<Part>
  /** Runs a step with the part, unless nothing has used it or it could not be loaded. */
  readonly ifLoaded: (step: (part: Part) => Promise<void>) => Promise<void>
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
  return {
    load: async () => loading ?? begin(),
    async ifLoaded(step) {
      const part = await loading?.catch(() => null)
      if (part !== null && part !== undefined) await step(part)
    },
  }
}
