import { useEffect, type ComponentType, type ReactNode } from 'react'
import { AppBar, Layout, TitlePortal, useResetStore } from 'react-admin'
import { Bell, useSession, useUser } from '../../react/react.ts'
import { PanelUserMenu } from './panel-user-menu.tsx'

/** The properties of `PanelAppBar`: those of react-admin's `AppBar`. */
export interface PanelAppBarProps {
  /** Default: `PanelUserMenu`. */
  readonly userMenu?: ReactNode
  /** Rendered before the bell. Default: the title of the page. */
  readonly children?: ReactNode
}

/** The properties of `PanelLayout`: those of react-admin's `Layout`. */
export interface PanelLayoutProps {
  /** Default: `PanelAppBar`. */
  readonly appBar?: ComponentType<PanelAppBarProps>
  readonly children?: ReactNode
}

/**
 * Renders react-admin's layout with the bell and the user menu. Removes what react-admin has stored
 * for a user, such as the filters of lists, when the session ends.
 *
 * @example
 * ```tsx
 * import { Admin } from 'react-admin'
 *
 * const App = () => (
 *   <PanelGate name="Shop">
 *     <Admin authProvider={createAuthProvider(session)} layout={PanelLayout} requireAuth />
 *   </PanelGate>
 * )
 * ```
 */
export function PanelLayout({ appBar = PanelAppBar, ...layout }: PanelLayoutProps) {
  useEmptyStore()
  return <Layout {...layout} appBar={appBar} />
}

/** Empties the store of react-admin, which is in `localStorage`, when its user leaves. */
function useEmptyStore(): void {
  const session = useSession()
  const resetStore = useResetStore()
  const id = useUser()?.id
  useEffect(
    () => () => {
      const state = session.getState()
      if (state.state !== 'ready' || state.user.id !== id) resetStore()
    },
    [session, resetStore, id],
  )
}

/**
 * Renders react-admin's app bar with the bell and the user menu.
 *
 * @example
 * ```tsx
 * const MyAppBar = () => <PanelAppBar userMenu={<PanelUserMenu securityPath={null} />} />
 * const MyLayout = (props: PanelLayoutProps) => <PanelLayout {...props} appBar={MyAppBar} />
 * ```
 */
export function PanelAppBar(props: PanelAppBarProps) {
  const { userMenu = <PanelUserMenu />, children = <TitlePortal />, ...appBar } = props
  return (
    <AppBar {...appBar} userMenu={userMenu}>
      {children}
      <Bell />
    </AppBar>
  )
}
