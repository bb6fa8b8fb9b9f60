/** Returns `true` for the second click of a double click, which must not undo the first. */
export function isRepeatedClick({ detail }: { readonly detail: number }): boolean {
  return detail > 1
}
