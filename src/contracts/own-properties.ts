/**
 * Returns a property of an object or of its class; `undefined`: only `Object.prototype` has it.
 *
 * Assumption: a fault of another package may let a client add a property to `Object.prototype`,
 * such as by merging a JSON body. Remaining risk: it may break the process. Mitigation: what an
 * object leaves out is not read from there, so that no check becomes weaker.
 */
export function ownProperty<Given extends object, Name extends keyof Given & string>(
  given: Given,
  name: Name,
): Given[Name] | undefined {
  let level: object | null = given
  while (level !== null && level !== Object.prototype) {
    if (Object.hasOwn(level, name)) return given[name]
    level = Object.getPrototypeOf(level) as object | null
  }
  return undefined
}

/** Returns a copy with all of these properties, read as `ownProperty` does. */
export function ownProperties<Given extends object>(
  given: Given,
  names: readonly (keyof Given & string)[],
): Given {
  return Object.fromEntries(names.map((name) => [name, ownProperty(given, name)])) as Given
}

/** Copies an object of the service or of JSON, so that what it leaves out is `undefined`. */
export function withoutPrototype<Given extends object>(given: Given): Given {
  return Object.assign(Object.create(null) as Given, given)
}
