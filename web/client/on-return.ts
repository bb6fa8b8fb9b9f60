/** Calls back when the user returns to the tab. @returns A function that stops it. */
export function onReturn(callback: () => void): () => void {
  const listener = () => {
    if (document.visibilityState === 'visible') callback()
  }
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
