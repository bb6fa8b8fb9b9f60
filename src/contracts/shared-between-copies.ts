/**
 * Returns a value that every copy of this file in the process has in common. tsx loads the package
 * a second time for a configuration in CommonJS, and `svc` must know the service that this copy has
 * created. A copy of another release has another file.
 */
export function sharedBetweenCopies<Value extends object>(
  name: string,
  create: () => Value,
): Value {
  // A loader may name a copy by a query.
  const file = import.meta.url.replace(/\?.*$/, '')
  const key = Symbol.for(`@svc/auth: ${name} of ${file}`)
  const all = globalThis as { [key: symbol]: unknown }
  // Only this function writes the key.
  return (all[key] ??= create()) as Value
}
