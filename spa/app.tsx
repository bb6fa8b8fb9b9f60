import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useAnnounce, usePanelState, useText } from '../src/react/react.ts'
import type { PanelState } from '../src/client/client.ts'
import { dueMove, isOnTheWay } from './due-move.ts'
import { RouterContext } from './leave-guard.ts'
import { PageContext } from './page.ts'
import type { Page } from './page.ts'
import type { Router } from './router.ts'
import { BootScreen } from './screens/boot.tsx'
import { CodeScreen } from './screens/code.tsx'
import { LoginScreen } from './screens/login.tsx'
import { ReadyScreen } from './screens/ready.tsx'
import { SecurityGate } from './screens/security-screen.tsx'
import { UnreachableScreen } from './screens/unreachable.tsx'
import { VerifyEmailScreen } from './screens/verify-email.tsx'

export interface AppProps {
  readonly page: Page
  readonly router: Router
  /** Where the session rested before it was asked anything. */
  readonly arrival: PanelState
}

/** The panel: one screen at a time, chosen by the state of the session. */
export function App({ page, router, arrival }: AppProps) {
  const address = useSyncExternalStore(router.subscribe, router.getAddress, router.getAddress)
  useDueMove(router, address)
  useVerifiedNote(arrival)
  return (
    <PageContext.Provider value={page}>
      <RouterContext.Provider value={router}>
        <Screen base={page.base} address={address} />
      </RouterContext.Provider>
    </PageContext.Provider>
  )
}

function Screen({ base, address }: { readonly base: string; readonly address: string }) {
  const state = usePanelState()
  switch (state.state) {
    case 'booting':
      return <BootScreen />
    case 'guest':
      return <LoginScreen />
    case 'code':
      return <CodeScreen />
    case 'gated':
      return state.gate === 'email' ? <VerifyEmailScreen /> : <SecurityGate />
    case 'ready': {
      // On its way to somewhere else; see dueMove.
      if (isOnTheWay({ base, address })) return null
      const { pathname } = new URL(address, location.origin)
      return <ReadyScreen user={state.user} path={pathname.slice(base.length)} />
    }
    case 'unreachable':
      return <UnreachableScreen refusal={state.refusal} />
  }
}

function useDueMove(router: Router, address: string): void {
  const state = usePanelState()
  const before = useRef(state)
  useLayoutEffect(() => {
    const move = dueMove(state, before.current, { base: router.base, address })
    before.current = state
    if (move !== null) router[move.how](move.to)
  }, [state, router, address])
}

/** Says that an address is verified to whoever was waiting for it, or has come by the link. */
function useVerifiedNote(arrival: PanelState): void {
  const state = usePanelState()
  const announce = useAnnounce()
  const text = useText()
  const before = useRef(arrival)
  useEffect(() => {
    const waited = awaitsVerification(before.current)
    const isPast = state.state === 'ready' || (state.state === 'gated' && state.gate !== 'email')
    before.current = state
    if (waited && isPast) announce(text('ui.verify.done'))
  }, [state, announce, text])
}

function awaitsVerification(state: PanelState): boolean {
  if (state.state === 'booting') return state.link === 'verified'
  return state.state === 'gated' && state.gate === 'email'
}
