import { hasUnsavedInput } from '../react/parts/unsaved-input.ts'
import type { GuestReason, PanelState } from '../client/client.ts'
import { CONFIRM_PARAMETER } from '../../src/rules/wire.ts'
import { stepAt, STEP_PATHS, type StepLayers } from '../client/session/password-step.ts'
import { addressOnSite, isBelow, withoutSlash, type Address } from './history-router.ts'

/** A navigation that the state of the session demands. */
export interface Redirect {
  /**
   * `push` lets password managers see that a login has succeeded. `load` leaves the panel for a
   * page of the host.
   */
  readonly mode: 'push' | 'replace' | 'load'
  readonly to: Address
}

/** Screens with an address of their own; every other address is a page of the panel. */
const SCREEN_PATHS: ReadonlySet<string> = new Set(['/login', '/login/code', '/verify-email'])

export interface Tab extends StepLayers {
  readonly base: string
  readonly address: Address
  /** `true` if the service asks users to confirm that it is them. */
  readonly confirmation: boolean
}

/**
 * Returns the navigation that is due: to the screen of the state, and after a login to the address
 * that the user wanted. The wanted address survives every gate.
 *
 * @param before The state of the previous render.
 */
export function redirectFor(state: PanelState, before: PanelState, tab: Tab): Redirect | null {
  switch (state.state) {
    case 'booting':
    case 'unreachable':
      return null
    case 'guest':
      return toScreen('/login', tab, 'replace', isDone(state.reason) ? null : wantedAfterLogin(tab))
    case 'code':
      return toScreen('/login/code', tab, 'replace')
    case 'password':
      return toScreen(STEP_PATHS[state.step], tab, historyMode(before))
    case 'gated':
      return toScreen(
        state.gate === 'email' ? '/verify-email' : '/security',
        tab,
        historyMode(before),
      )
    case 'ready': {
      if (!isLoginStep(tab) || confirmedPage(tab) !== null) return null
      const mode = leadsToHost(tab) ? 'load' : historyMode(before)
      return { mode, to: wantedAt(tab) ?? tab.base }
    }
  }
}

/** Returns `true` after a logout: nobody asked to return, unless a page keeps what was typed. */
function isDone(reason: GuestReason | null): boolean {
  return reason === 'logged_out' || (reason === 'logged_out_elsewhere' && !hasUnsavedInput())
}

/**
 * Returns the page that demands a confirmation, and has sent the user here for it; `null` for none.
 */
export function confirmedPage(tab: Tab): Address | null {
  if (nextIn(tab, CONFIRM_PARAMETER) === null || !isLoginStep(tab)) return null
  return wantedAt(tab) ?? tab.base
}

/** Returns whether the user came from a page of the host, which is outside the panel. */
export function leadsToHost(tab: Tab): boolean {
  const to = isLoginStep(tab) ? wantedAt(tab) : null
  return to !== null && !isBelow(to, tab.base)
}

/** Returns `true` if the address is a screen that a user with a session does not need. */
export function isLoginStep(tab: Tab): boolean {
  const place = placeOf(tab)
  // The security page is a page of the panel, unless a gate has sent the user there.
  // So is the home, unless `pageGuard` of the host has.
  if (place === '/security' || place === '') return nextOf(tab) !== null
  return SCREEN_PATHS.has(place) || isStep(place, tab)
}

/** Returns the path of the address below that of the panel; empty for the home. */
export function placeOf({ base, address }: Tab): string {
  return withoutSlash(new URL(address, location.origin).pathname.slice(base.length))
}

/** Returns `true` for the address of a step exactly: a page of the host may end like one. */
function isStep(place: string, layers: StepLayers): boolean {
  const step = stepAt(place, layers)
  return step !== null && STEP_PATHS[step] === place
}

function historyMode(before: PanelState): 'push' | 'replace' {
  return before.state === 'guest' || before.state === 'code' ? 'push' : 'replace'
}

function toScreen(
  place: string,
  tab: Tab,
  mode: Redirect['mode'],
  next = wantedAt(tab),
): Redirect | null {
  // A login confirms, so that its page needs no other confirmation.
  if (placeOf(tab) === place && confirmedPage(tab) === null) return null
  const query = next === null ? '' : `?${new URLSearchParams({ next }).toString()}`
  return { mode, to: tab.base + place + query }
}

/**
 * Returns the address that the user wants after the login. Unsaved recovery codes are shown again
 * on the security page only, which may have been a gate before another address.
 */
function wantedAfterLogin(tab: Tab): Address | null {
  return placeOf(tab) === '/security' && hasUnsavedInput() ? `${tab.base}/security` : wantedAt(tab)
}

/** Returns the address that the user wants; `null` for the panel's home. */
function wantedAt(tab: Tab): Address | null {
  if (!isLoginStep(tab)) return isHome(tab) ? null : tab.address
  const next = nextOf(tab)
  return next?.startsWith('/') === true ? addressOnSite(next) : null
}

/** Returns the address that a page of the host has asked to return to, as it is written. */
function nextOf(tab: Tab): string | null {
  return nextIn(tab, 'next') ?? nextIn(tab, CONFIRM_PARAMETER)
}

function nextIn({ address, confirmation }: Tab, name: string): string | null {
  if (name === CONFIRM_PARAMETER && !confirmation) return null
  return new URL(address, location.origin).searchParams.get(name)
}

function isHome({ base, address }: Tab): boolean {
  return withoutSlash(address) === base
}
