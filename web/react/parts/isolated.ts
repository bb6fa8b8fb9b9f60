/** These end the isolation, also that of a `<bdi>`, or turn what follows the name. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns a name for a `<bdi>` in a sentence. */
export function undirected(name: string): string {
  return name.replaceAll(DIRECTIONS, '')
}

/** Returns a name that does not change the direction of the text around it. */
export function isolated(name: string): string {
  return `\u2068${undirected(name)}\u2069`
}
