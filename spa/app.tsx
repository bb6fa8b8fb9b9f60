import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../src/react/error-boundary.tsx'
import { useAnnounce, usePanelState } from '../src/react/react.ts'
import { useText } from '../src/react/provider.tsx'
import { usePart } from '../src/react/use-part.ts'
import type { PanelState } from '../src/client/client.ts'
import { isLoginStep, leadsToHost, redirectFor } from './redirect.ts'
import { openHostPage } from './host-page-return.ts'
import { RouterContext } from './leave-guard.ts'
import { PageContext } from './page.ts'
import type { PageSettings, PagesPart } from './page.ts'
import type { LoadPages } from './panel-options.ts'
import type { Router } from './history-router.ts'
import { BootScreen, removeBootMark } from './screens/boot.tsx'
import { BrokenScreen } from './screens/broken.tsx'
import { CodeScreen } from './screens/code-screen.tsx'
import { LoginScreen } from './screens/login-screen.tsx'
import { ReadyScreen } from './screens/ready.tsx'
import { SecurityGate } from './screens/security-screen.tsx'
import { UnreachableScreen } from './screens/unreachable.tsx'
import { VerifyEmailScreen } from './screens/verify-email-screen.tsx'

export interface AppProps {
  readonly page: PageSettings
  readonly loadPages: LoadPages
  readonly router: Router
  /** State of the session before its first request. */
  readonly initialState: PanelState
}

/** Renders the panel, or an error if rendering fails. */
export function App(props: AppProps) {
  const { page: settings } = props
  const page = useMemo(() => ({ ...settings, pages: [] }), [settings])
  return (
    <PageContext.Provider value={page}>
      <ErrorBoundary fallback={<BrokenScreen />} resetOn="">
        <Panel {...props} />
      </ErrorBoundary>
    </PageContext.Provider>
  )
}

/** Renders the screen for the state of the session. */
function Panel({ page: settings, loadPages, router, initialState }: AppProps) {
  const address = useSyncExternalStore(router.subscribe, router.getAddress, router.getAddress)
  const { state } = usePanelState()
  useRedirect(router, address)
  useVerifiedNote(initialState)
  useLayoutEffect(removeBootMark, [])
  const [pagesPart, fetchPages] = usePages(loadPages)
  const page = useMemo(
    () => ({ ...settings, pages: pagesPart.state === 'loaded' ? pagesPart.content : [] }),
    [settings, pagesPart],
  )
  return (
    <PageContext.Provider value={page}>
      <RouterContext.Provider value={router}>
        <ErrorBoundary fallback={<BrokenScreen />} resetOn={`${state} ${address}`}>
          <Screen base={page.base} address={address} pages={pagesPart} onRetry={fetchPages} />
        </ErrorBoundary>
      </RouterContext.Provider>
    </PageContext.Provider>
  )
}

interface ScreenProps {
  readonly base: string
  readonly address: string
  readonly pages: PagesPart
  readonly onRetry: () => void
}

function Screen({ base, address, pages, onRetry }: ScreenProps) {
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
      // The redirect is due; see redirectFor.
      if (isLoginStep({ base, address }))
        return leadsToHost({ base, address }) ? <BootScreen /> : null
      // The host's pages are not loaded yet, so the address may be one of theirs.
      if (pages.state === 'loading') return <BootScreen />
      const { pathname } = new URL(address, location.origin)
      const failed = pages.state === 'failed' ? pages : null
      const path = pathname.slice(base.length)
      return <ReadyScreen user={state.user} path={path} failedPages={failed} onRetry={onRetry} />
    }
    case 'unreachable':
      return <UnreachableScreen refusal={state.refusal} />
  }
}

function usePages(load: LoadPages) {
  const [part, fetchPart] = usePart(load)
  useEffect(() => void fetchPart(), [fetchPart])
  return [part, () => void fetchPart()] as const
}

function useRedirect(router: Router, address: string): void {
  const state = usePanelState()
  const before = useRef(state)
  useLayoutEffect(() => {
    const move = redirectFor(state, before.current, { base: router.base, address })
    before.current = state
    if (move === null) return
    if (move.mode === 'load') openHostPage(move.to, router)
    else router[move.mode](move.to)
  }, [state, router, address])
}

/** Announces that an address is verified, to users who waited for it or followed the link. */
function useVerifiedNote(initialState: PanelState): void {
  const state = usePanelState()
  const announce = useAnnounce()
  const text = useText()
  const before = useRef(initialState)
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
