import type { PanelState } from '../src/client/client.ts'
import { returnPath } from './history-router.ts'
import type { Address } from './history-router.ts'

/** A move that the state of the session asks for. */
export interface DueMove {
  /** `push` lets password managers see that a login has worked. */
  readonly how: 'push' | 'replace'
  readonly to: Address
}

/** Screens that have an address of their own; every other address is a page of the panel. */
const PLACES = ['/login', '/login/code', '/verify-email'] as const
type Place = (typeof PLACES)[number] | '/security'

interface Tab {
  readonly base: string
  readonly address: Address
}

/**
 * Where the tab has to go: to the screen that the state asks for, and whoever has come in to where they wanted
 * to be. What was wanted survives every gate.
 *
 * @param before The state that was drawn before this one.
 */
export function dueMove(state: PanelState, before: PanelState, tab: Tab): DueMove | null {
  switch (state.state) {
    case 'booting':
    case 'unreachable':
      return null
    case 'guest':
      // Whoever has left did not ask to come back.
      return toPlace('/login', tab, state.reason === 'logged_out' ? null : wantedAt(tab))
    case 'code':
      return toPlace('/login/code', tab, wantedAt(tab))
    case 'gated': {
      const move = toPlace(
        state.gate === 'email' ? '/verify-email' : '/security',
        tab,
        wantedAt(tab),
      )
      return move && { ...move, how: historyMode(before) }
    }
    case 'ready': {
      if (!isOnTheWay(tab)) return null
      return { how: historyMode(before), to: wantedAt(tab) ?? tab.base }
    }
  }
}

/** Whether the address is a screen that is of no use to whoever is in. */
export function isOnTheWay({ base, address }: Tab): boolean {
  const { pathname, searchParams } = new URL(address, location.origin)
  const place = pathname.slice(base.length)
  // The security page is a page of the panel, unless somebody was held back there.
  if (place === '/security') return searchParams.has('next')
  return PLACES.some((known) => known === place)
}

function historyMode(before: PanelState): 'push' | 'replace' {
  return before.state === 'guest' || before.state === 'code' ? 'push' : 'replace'
}

function toPlace(place: Place, { base, address }: Tab, next: Address | null): DueMove | null {
  const path = base + place
  if (new URL(address, location.origin).pathname === path) return null
  const query = next === null ? '' : `?${new URLSearchParams({ next }).toString()}`
  return { how: 'replace', to: path + query }
}

/** What the person wants to see; `null`: no more than the panel. */
function wantedAt(tab: Tab): Address | null {
  if (!isOnTheWay(tab)) return isHome(tab) ? null : tab.address
  const next = new URL(tab.address, location.origin).searchParams.get('next')
  return next === null ? null : returnPath(next, tab.base)
}

function isHome({ base, address }: Tab): boolean {
  return address === base || address === `${base}/`
}
