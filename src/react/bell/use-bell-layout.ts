import { useSyncExternalStore } from 'react'

/** The style sheet draws the list as a sheet up to the same width. */
const SHEET = '(max-width: 480px)'

/** Returns how the list is shown: beside its button, or on a narrow screen as a sheet that everything else waits for. */
export function useBellLayout(): 'popover' | 'sheet' {
  return useSyncExternalStore(subscribe, layoutNow, () => 'popover')
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(SHEET)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function layoutNow(): 'popover' | 'sheet' {
  return matchMedia(SHEET).matches ? 'sheet' : 'popover'
}
