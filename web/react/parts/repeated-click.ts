import type { MouseEvent } from 'react'

/** Returns `true` for the second click of a double click, which must not undo the first. */
export function isRepeatedClick({ detail }: { readonly detail: number }): boolean {
  return detail > 1
}

/** Drops the second click of a double click, for what the first click has opened below it. */
export function dropRepeatedClick(event: MouseEvent): void {
  if (!isRepeatedClick(event)) return
  event.preventDefault()
  event.stopPropagation()
}
