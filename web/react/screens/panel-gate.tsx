import type { ReactNode } from 'react'
import { ImpersonationBanner } from '../session/impersonation-banner.tsx'
import { useUser } from '../session/provider.tsx'
import { useOtherUser } from '../session/use-other-user.ts'
import { PanelScreens, type PanelScreensProps } from './panel-screens.tsx'

/** The properties of `PanelGate`. */
export interface PanelGateProps extends Omit<PanelScreensProps, 'page' | 'isLoading'> {
  /** The application of the framework. */
  readonly children: ReactNode
}

/**
 * Renders the application while a user is logged in who has passed every gate, and the screen that
 * is due in its place: login, code, email verification, required set-up of the second factor, or an
 * outage. The address stays. The application is unmounted with everything that it keeps in memory;
 * the page is reloaded if another user logs in, in whichever tab. This is not a protection: the
 * service guards the data.
 *
 * @example
 * ```tsx
 * import '@svc/auth/style.css'
 * import { PanelAuthProvider } from '@svc/auth/react'
 *
 * const App = () => (
 *   <PanelAuthProvider session={session}>
 *     <PanelGate name="Example Shop">
 *       <h1>The application</h1>
 *     </PanelGate>
 *   </PanelAuthProvider>
 * )
 * ```
 */
export function PanelGate({ children, ...screens }: PanelGateProps) {
  const isOther = useOtherUser()
  const isOpen = useUser() !== null && !isOther
  return (
    // The style sheet must not reach the application.
    <div data-svc-root={isOpen ? undefined : ''}>
      <PanelScreens {...screens} isLoading={isOther}>
        {children}
        <ImpersonationBanner />
      </PanelScreens>
    </div>
  )
}
