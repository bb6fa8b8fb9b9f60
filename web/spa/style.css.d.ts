// A style sheet exports nothing; without a declaration TypeScript would not let a host import it.
export type NoExports = never
