import { useEffect } from 'react'
import { confirmLeave, hasAgreedToLeave, setLeaveQuestion } from './leave-question.ts'

/**
 * Asks before a link, a logout or a reload leaves the page. Only the router can hold back its own
 * navigation and the browser's back and forward buttons: it calls `confirmLeave`.
 *
 * @param question In the panel's language; for a reload the browser uses its own words. `null` asks
 *   nothing.
 */
export function useLeaveQuestion(question: string | null): void {
  useEffect(() => {
    if (question === null) return
    setLeaveQuestion(question)
    const onClick = (event: MouseEvent) => {
      if (!leadsAway(event) || confirmLeave()) return
      event.preventDefault()
      event.stopPropagation()
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!hasAgreedToLeave()) event.preventDefault()
    }
    // In the capture phase, so that it runs before any router.
    document.addEventListener('click', onClick, { capture: true })
    addEventListener('beforeunload', onUnload)
    return () => {
      setLeaveQuestion(null)
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
  return link !== null && !opensElsewhere && link.href !== location.href && !isAnchor(link)
}

/** Returns `true` for a link to an element of the page; the hash of a router names none. */
function isAnchor({ href, hash }: HTMLAnchorElement): boolean {
  const isHere = href === new URL(hash, location.href).href
  return isHere && document.getElementById(hash.slice(1)) !== null
}
