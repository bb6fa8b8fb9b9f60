/**
 * JSON that a test reads. Tests send wrong requests to every route and state by its values which
 * body they expect, so a type of every possible body would be asserted at each use.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would need an assertion at each of more than 150 reads
export type AnyJson = any
