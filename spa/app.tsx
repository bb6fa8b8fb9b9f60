import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { usePanelState } from '../src/react/react.ts'
import { dueMove } from './due-move.ts'
import { PageContext } from './page.ts'
import type { Page } from './page.ts'
import type { Router } from './router.ts'
import { BootScreen } from './screens/boot.tsx'
import { GateScreen } from './screens/gate.tsx'
import { LoginScreen } from './screens/login.tsx'
import { ReadyScreen } from './screens/ready.tsx'
import { UnreachableScreen } from './screens/unreachable.tsx'

export interface AppProps {
  readonly page: Page
  readonly router: Router
}

/** The panel: one screen at a time, chosen by the state of the session. */
export function App({ page, router }: AppProps) {
  const address = useSyncExternalStore(router.subscribe, router.getAddress, router.getAddress)
  useDueMove(router, address)
  return (
    <PageContext.Provider value={page}>
      <Screen path={new URL(address, location.origin).pathname.slice(page.base.length)} />
    </PageContext.Provider>
  )
}

function Screen({ path }: { readonly path: string }) {
  const state = usePanelState()
  switch (state.state) {
    case 'booting':
      return <BootScreen />
    case 'guest':
      return <LoginScreen />
    case 'gated':
      return <GateScreen gate={state.gate} email={state.email} />
    case 'ready':
      // On its way to somewhere else; see dueMove.
      return path === '/login' ? null : <ReadyScreen user={state.user} path={path} />
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
