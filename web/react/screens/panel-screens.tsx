import { useEffect, useRef, useState, type ReactNode } from 'react'
import { withDefaults } from '../../../src/rules/panel-settings.ts'
import type { PanelSession, PanelState } from '../../client/client.ts'
import { isAt } from '../../client/session/panel-state.ts'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { PanelGuard } from '../session/guard.tsx'
import { screenOf, useAnnounce, usePanelState, useSession, useText } from '../session/provider.tsx'
import { BootScreen } from './boot.tsx'
import { BrokenScreen } from './broken.tsx'
import { LoginScreen } from '../login/login-screen.tsx'
import { PartScreen } from './part-screen.tsx'
import { PasswordScreen } from './password-screen.tsx'
import { PLAIN_SCREEN, ScreenContext, type ScreenProps } from '../session/screen.tsx'
import { SecurityGate, SecurityScreen } from './security-screen.tsx'
import { UnreachableScreen } from './unreachable.tsx'

/** The properties of `PanelScreens`. */
export interface PanelScreensProps extends ScreenProps {
  /** Page of a user who has passed every gate. Default: `content`, the children. */
  readonly page?: 'content' | 'security'
  /** Shows the loading screen in place of that page. Default: `false`. */
  readonly isLoading?: boolean
  readonly children?: ReactNode
}

/**
 * Renders the screen that is due: loading, login, code, email verification, required set-up of the
 * second factor, or an outage. Renders its children once the user has passed every gate. Each
 * screen is a `<main>` and sets the title of the document while it is shown. This is not a
 * protection: the service guards the data.
 *
 * @example
 * ```tsx
 * import '@svc/auth/style.css'
 *
 * const App = () => (
 *   <PanelAuthProvider session={session}>
 *     <PanelScreens name="Example Shop" help={<a href="/help">Help</a>}>
 *       <h1>Orders</h1>
 *     </PanelScreens>
 *   </PanelAuthProvider>
 * )
 * ```
 */
export function PanelScreens(props: PanelScreensProps) {
  const { page = 'content', isLoading = false, children } = props
  const settings = useSettings(props)
  const state = usePanelState()
  useVerifiedNote(state)
  const isShown = state.state === 'ready' && !isLoading && page === 'content'
  return (
    <ScreenContext.Provider value={settings}>
      {isShown ? (
        <PanelGuard>{children}</PanelGuard>
      ) : (
        // The children's errors are the host's.
        <ErrorBoundary fallback={<BrokenScreen />} resetOn={screenOf(state)}>
          <Screen state={state} isLoading={isLoading} />
        </ErrorBoundary>
      )}
    </ScreenContext.Provider>
  )
}

interface DueScreenProps extends Required<Pick<PanelScreensProps, 'isLoading'>> {
  readonly state: PanelState
}

function Screen({ state, isLoading }: DueScreenProps) {
  switch (state.state) {
    case 'booting':
      return <BootScreen />
    case 'guest':
      return <LoginScreen />
    case 'code':
      return (
        <PartScreen key="code" load={loadCode}>
          {(Loaded) => <Loaded />}
        </PartScreen>
      )
    case 'password':
      return <PasswordScreen state={state} />
    case 'gated':
      return state.gate === 'email' ? (
        <PartScreen key="email" load={loadVerifyEmail}>
          {(Loaded) => <Loaded />}
        </PartScreen>
      ) : (
        <SecurityGate />
      )
    case 'ready':
      return isLoading ? <BootScreen /> : <SecurityScreen problem={null} />
    case 'unreachable':
      return <UnreachableScreen refusal={state.refusal} />
  }
}

/** Loads a file of its own: most logins need only the password. */
async function loadCode() {
  return (await import('../code/code-screen.tsx')).CodeScreen
}

/** Loads a file of its own: most users have verified their email long ago. */
async function loadVerifyEmail() {
  return (await import('../email/verify-email-screen.tsx')).VerifyEmailScreen
}

/** Keeps the identity of the settings while the host renders with the same properties. */
function useSettings(props: ScreenProps) {
  const settings = withDefaults(PLAIN_SCREEN, props)
  const [kept, keep] = useState(settings)
  const names = Object.keys(PLAIN_SCREEN) as (keyof ScreenProps)[]
  if (names.every((name) => Object.is(settings[name], kept[name]))) return kept
  keep(settings)
  return settings
}

/** Sessions whose first state has been rendered. */
const arrived = new WeakSet<PanelSession>()

/** Announces that an address is verified, to users who waited for it or followed the link. */
function useVerifiedNote(state: PanelState): void {
  const announce = useAnnounce()
  const text = useText()
  const session = useSession()
  const before = useRef<PanelState>(state)
  useEffect(() => {
    // The texts may load after the service has answered: the first state here can be the second.
    const followedLink = session.link === 'verified' && !arrived.has(session)
    const waited = followedLink || isAt(before.current, 'email')
    before.current = state
    if (state.state !== 'booting') arrived.add(session)
    if (waited && (state.state === 'ready' || isAt(state, 'two-factor')))
      announce(text('ui.verify.done'))
  }, [state, session, announce, text])
}
