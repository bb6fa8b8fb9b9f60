import { confirmLeave as confirmLeaveOfPart } from '../react/security/leave-question.ts'

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
  // Not the function itself: its declaration would need the files of the React components.
  return confirmLeaveOfPart()
}
