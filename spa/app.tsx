import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useAnnounce, usePanelState, useText } from '../src/react/react.ts'
import type { HostPage, PanelState } from '../src/client/client.ts'
import { dueMove, isOnTheWay } from './due-move.ts'
import { RouterContext } from './leave-guard.ts'
import { PageContext } from './page.ts'
import type { PageSettings } from './page.ts'
import type { Router } from './router.ts'
import { BootScreen } from './screens/boot.tsx'
import { CodeScreen } from './screens/code.tsx'
import { LoginScreen } from './screens/login.tsx'
import { ReadyScreen } from './screens/ready.tsx'
import { SecurityGate } from './screens/security-screen.tsx'
import { UnreachableScreen } from './screens/unreachable.tsx'
import { VerifyEmailScreen } from './screens/verify-email.tsx'

export interface AppProps {
  readonly page: PageSettings
  readonly pages: Promise<readonly HostPage[]>
  readonly router: Router
  /** Where the session rested before it was asked anything. */
  readonly arrival: PanelState
}

/** The panel: one screen at a time, chosen by the state of the session. */
export function App({ page: settings, pages: loading, router, arrival }: AppProps) {
  const address = useSyncExternalStore(router.subscribe, router.getAddress, router.getAddress)
  useDueMove(router, address)
  useVerifiedNote(arrival)
  const pages = useLoaded(loading)
  const page = useMemo(() => ({ ...settings, pages: pages ?? [] }), [settings, pages])
  return (
    <PageContext.Provider value={page}>
      <RouterContext.Provider value={router}>
        <Screen base={page.base} address={address} pages={pages === null ? 'loading' : 'loaded'} />
      </RouterContext.Provider>
    </PageContext.Provider>
  )
}

interface ScreenProps {
  readonly base: string
  readonly address: string
  readonly pages: 'loading' | 'loaded'
}

function Screen({ base, address, pages }: ScreenProps) {
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
      // Whose page it is, and whether there is one, is not known yet.
      if (pages === 'loading') return <BootScreen />
      const { pathname } = new URL(address, location.origin)
      return <ReadyScreen user={state.user} path={pathname.slice(base.length)} />
    }
    case 'unreachable':
      return <UnreachableScreen refusal={state.refusal} />
  }
}

/** The host's pages; `null` while they are on their way. */
function useLoaded(loading: Promise<readonly HostPage[]>): readonly HostPage[] | null {
  const [pages, setPages] = useState<readonly HostPage[] | null>(null)
  useEffect(() => {
    void loading.then(setPages)
  }, [loading])
  return pages
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
