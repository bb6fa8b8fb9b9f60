import { useSyncExternalStore } from 'react'

/** The style sheet uses the same width. */
const SHEET = '(max-width: 480px)'

/** Returns the list's layout: a popover beside its button, or a modal sheet on a narrow screen. */
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
