/** Returns a name that does not change the direction of the text around it. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`
}
