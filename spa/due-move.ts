import type { PanelState } from '../src/client/client.ts'
import { returnPath } from './router.ts'
import type { Address } from './router.ts'

/** A move that the state of the session asks for. */
export interface DueMove {
  /** `push` lets password managers see that a login has worked. */
  readonly how: 'push' | 'replace'
  readonly to: Address
}

/**
 * Where the tab has to go: guests to the login, whoever has come in to where they wanted to be.
 *
 * @param before The state that was drawn before this one.
 */
export function dueMove(
  state: PanelState,
  before: PanelState,
  { base, address }: { readonly base: string; readonly address: Address },
): DueMove | null {
  const isLogin = pathOf(address) === `${base}/login`
  switch (state.state) {
    case 'booting':
    case 'unreachable':
    case 'gated':
      return null
    case 'guest':
      return isLogin ? null : { how: 'replace', to: loginAddress(state, { base, address }) }
    case 'ready': {
      if (!isLogin) return null
      const how = before.state === 'guest' || before.state === 'gated' ? 'push' : 'replace'
      return { how, to: wanted(address, base) }
    }
  }
}

function loginAddress(
  state: PanelState & { readonly state: 'guest' },
  { base, address }: { readonly base: string; readonly address: Address },
): Address {
  const isNamed = address !== base && address !== `${base}/`
  // Whoever has left did not ask to come back.
  if (!isNamed || state.reason === 'logged_out') return `${base}/login`
  return `${base}/login?${new URLSearchParams({ next: address }).toString()}`
}

function wanted(address: Address, base: string): Address {
  const next = new URL(address, location.origin).searchParams.get('next')
  const path = next === null ? null : returnPath(next, base)
  return path === null || pathOf(path) === `${base}/login` ? base : path
}

function pathOf(address: Address): string {
  return new URL(address, location.origin).pathname
}
