import type { Address, Router } from './history-router.ts'

/**
 * Leaves the panel for the page of the host that sent the user here. If that page has just sent the
 * user back, host and panel disagree about the session, and the panel's home ends the loop.
 */
export function openHostPage(address: Address, router: Router): void {
  const cameBack = document.referrer === location.href
  if (cameBack) router.replace(router.base)
  else location.replace(location.origin + address)
}
