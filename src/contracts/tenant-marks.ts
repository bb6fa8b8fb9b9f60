/*
 * Marks of parts of a host that cannot work together. They are symbols, so that a spread keeps them
 * and nobody meets them.
 */

/** Marks a second factor that is stored by the id of its user alone. */
export const BY_ID_ALONE = Symbol.for('@svc/auth: second factor by id alone')

/** Marks users of tenants, whose ids may be the same. */
export const OF_TENANTS = Symbol.for('@svc/auth: users of tenants')

/** Returns whether a part of a host has a mark. */
export function isMarked(part: unknown, mark: symbol): boolean {
  return Reflect.get(Object(part) as object, mark) === true
}
