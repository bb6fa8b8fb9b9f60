/**
 * JSON that a test reads. Tests state what they expect of any route by its values, so a type of
 * every body would only repeat them.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above; the one place of it
export type AnyJson = any
