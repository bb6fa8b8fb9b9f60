/** These would end the isolation, or turn what follows the name. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns a name that does not change the direction of the text around it. */
export function isolated(name: string): string {
  return `\u2068${name.replaceAll(DIRECTIONS, '')}\u2069`
}
