import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../react/parts/error-boundary.tsx'
import { PanelScreens, usePanelState, useSession, useUser } from '../react/react.ts'
import { removeBootMark } from '../react/screens/boot.tsx'
import { BrokenScreen } from '../react/screens/broken.tsx'
import { PLAIN_SCREEN, ScreenContext } from '../react/session/screen.tsx'
import { useOtherUser } from '../react/session/use-other-user.ts'
import { usePart } from '../react/session/use-part.ts'
import { followAddress } from './follow-address.ts'
import { useConfirmedReturn } from './confirmed-return.ts'
import {
  confirmedPage,
  isLoginStep,
  leadsToHost,
  placeOf,
  redirectFor,
  type Tab,
} from './redirect.ts'
import { openHostPage } from './host-page-return.ts'
import { PageContext, type LoadedPages, type Page, type PagesPart } from './page.ts'
import type { Router } from './history-router.ts'
import { ForgotPassword, Help } from './screens/help.tsx'
import { ReadyScreen } from './screens/ready.tsx'

export interface AppProps {
  readonly page: Page
  readonly loadPages: () => Promise<LoadedPages>
  readonly router: Router
}

/** Renders the panel, or an error if rendering fails. */
export function App(props: AppProps) {
  const { page } = props
  const screen = useMemo(() => ({ ...PLAIN_SCREEN, name: page.name }), [page])
  const fallback = (
    <ScreenContext.Provider value={screen}>
      <BrokenScreen />
    </ScreenContext.Provider>
  )
  return (
    <PageContext.Provider value={page}>
      <ErrorBoundary fallback={fallback} resetOn="">
        <Panel {...props} />
      </ErrorBoundary>
    </PageContext.Provider>
  )
}

/** Renders the screen for the state of the session, and the page of the address. */
function Panel({ page: settings, loadPages, router }: AppProps) {
  const address = useSyncExternalStore(router.subscribe, router.getAddress, router.getAddress)
  const { base, help, resetPassword, confirmation } = settings
  const [question, setQuestion] = useState<string | null>(null)
  useEffect(
    // Asks before the browser's back and forward buttons leave a screen.
    () => (question === null ? undefined : router.guard(() => confirm(question))),
    [router, question],
  )
  const { passwords, sessions } = useSession()
  const tab = useMemo(
    () => ({ base, address, passwords, sessions, confirmation }),
    [base, address, passwords, sessions, confirmation],
  )
  useRedirect(router, tab)
  useConfirmedReturn(router, tab, settings.twoFactor)
  useLayoutEffect(removeBootMark, [])
  const [pagesPart, fetchPages] = usePages(loadPages)
  const page = useMemo(
    () => ({ ...settings, ...(pagesPart.state === 'loaded' && pagesPart.content) }),
    [settings, pagesPart],
  )
  const isOther = useOtherUser()
  const isLeaving = isOther || leadsToHost(tab) || confirmedPage(tab) !== null
  return (
    <PageContext.Provider value={page}>
      <PanelScreens
        {...settings}
        help={<Help href={help} />}
        forgotPassword={<ForgotPassword href={resetPassword} />}
        // Until the host's pages are loaded, the address may be one of theirs.
        isLoading={isLeaving || pagesPart.state === 'loading'}
        onQuestion={setQuestion}
      >
        <ErrorBoundary fallback={<BrokenScreen />} resetOn={address}>
          <Content tab={tab} pages={pagesPart} onRetry={fetchPages} />
        </ErrorBoundary>
      </PanelScreens>
    </PageContext.Provider>
  )
}

interface ContentProps {
  readonly tab: Tab
  readonly pages: PagesPart
  readonly onRetry: () => void
}

function Content({ tab, pages, onRetry }: ContentProps) {
  const user = useUser()
  // The redirect is due; see redirectFor.
  if (user === null || isLoginStep(tab)) return null
  const failed = pages.state === 'failed' ? pages : null
  return <ReadyScreen user={user} path={placeOf(tab)} failedPages={failed} onRetry={onRetry} />
}

/** Loads the host's pages once a user has passed every gate: nobody else has a use for them. */
function usePages(load: AppProps['loadPages']) {
  const [part, fetchPart] = usePart(load)
  const isDue = useUser() !== null && part.state === 'loading'
  useEffect(() => {
    if (isDue) void fetchPart()
  }, [isDue, fetchPart])
  return [part, () => void fetchPart()] as const
}

function useRedirect(router: Router, tab: Tab): void {
  const session = useSession()
  const state = usePanelState()
  const before = useRef({ state, tab })
  useLayoutEffect(() => {
    const isNew = before.current.tab.address !== tab.address
    // Moves the session, which renders again.
    const isFollowed = isNew && followAddress(session, tab)
    const move = isFollowed ? null : redirectFor(state, before.current.state, tab)
    before.current = { state, tab }
    if (move === null) return
    if (move.mode === 'load') openHostPage(move.to, router)
    else router[move.mode](move.to)
  }, [session, state, router, tab])
}
