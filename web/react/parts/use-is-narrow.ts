import { useSyncExternalStore } from 'react'

/** The style sheet uses the same width. */
const NARROW = '(max-width: 480px)'

/** Returns `true` on a screen as narrow as a phone's; renders again when that changes. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function isNarrow(): boolean {
  return matchMedia(NARROW).matches
}
