/**
 * JSON that a test reads: what `JSON.parse` returns. Tests send wrong requests to every route and
 * state by its values which body they expect, so a type of every possible body would be asserted at
 * each use.
 */
export type AnyJson = ReturnType<typeof JSON.parse>
