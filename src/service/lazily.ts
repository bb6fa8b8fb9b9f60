/** A part whose modules its first use loads. */
export interface Lazy<Part> {
  readonly load: () => Promise<Part>
  /** Runs a step with the part, unless nothing has used it. */
  readonly ifLoaded: (step: (part: Part) => Promise<void>) => Promise<void>
}

/** Creates a part that is loaded once. */
export function lazily<Part>(load: () => Promise<Part>): Lazy<Part> {
  let loading: Promise<Part> | null = null
  return {
    load: async () => (loading ??= load()),
    async ifLoaded(step) {
      if (loading !== null) await step(await loading)
    },
  }
}
