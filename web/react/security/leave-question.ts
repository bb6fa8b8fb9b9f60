/** A user who has agreed to leave by a link is not asked again by the router that follows it. */
const AGREED_MS = 1000

let question: string | null = null
let hasAgreed = false

/**
 * Asks before the user leaves recovery codes that are not saved yet, for the router of a host. The
 * security page itself asks about links, logouts and reloads; a router also has a back button, and
 * navigates by code. Does not ask twice about one click.
 *
 * @returns `true` if leaving may go on: nothing would be lost, or the user agrees.
 *
 * @example
 * ```ts
 * const canDeactivate = () => confirmLeave()
 * ```
 */
export function confirmLeave(): boolean {
  if (question === null || hasAgreed) return true
  if (!confirm(question)) return false
  hasAgreed = true
  setTimeout(() => (hasAgreed = false), AGREED_MS)
  return true
}

/** Returns `true` shortly after the user has agreed to leave. */
export function hasAgreedToLeave(): boolean {
  return hasAgreed
}

/** Sets the question that `confirmLeave` asks; `null` for none. */
export function setLeaveQuestion(current: string | null): void {
  question = current
  hasAgreed = false
}
