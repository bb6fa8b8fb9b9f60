import { useEffect } from 'react'

/**
 * Asks before the page is left by a link, a logout or a reload. What a router does by itself, as with the browser's
 * own buttons, only the router can hold back.
 *
 * @param question In the panel's language; a reload is asked about in the browser's words. `null`: nothing is asked.
 */
export function useLeaveQuestion(question: string | null): void {
  useEffect(() => {
    if (question === null) return
    const onClick = (event: MouseEvent) => {
      if (!leadsAway(event) || confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // Before the router hears of it, whichever it is.
    document.addEventListener('click', onClick, { capture: true })
    addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, { capture: true })
      removeEventListener('beforeunload', onUnload)
    }
  }, [question])
}

function leadsAway(event: MouseEvent): boolean {
  const { target } = event
  if (!(target instanceof Element)) return false
  if (target.closest('[data-svc-part=logout]') !== null) return true
  const link = target.closest('a')
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.target !== ''
  return link !== null && !opensElsewhere && link.href !== location.href
}
