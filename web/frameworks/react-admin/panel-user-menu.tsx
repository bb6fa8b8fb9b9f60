import { forwardRef, type ReactNode } from 'react'
import {
  Logout,
  MenuItemLink,
  useBasename,
  useLogout,
  useNotify,
  UserMenu,
  useUserMenu,
} from 'react-admin'
import { impersonatorOf } from '../../client/client.ts'
import { Icon } from '../../react/parts/icon.tsx'
import { problemOf } from '../../react/session/refusal-text.ts'
import { useSession, useText, useTexts, useUser } from '../../react/session/provider.tsx'

/** The properties of `PanelUserMenu`. */
export interface PanelUserMenuProps {
  /** Path of the page with `SecurityContent`; `null` for none. Default: `/security`. */
  readonly securityPath?: string | null
  /** Items of your own, between the security page and the logout. Default: none. */
  readonly children?: ReactNode
}

const SHIELD = 'M12 3l7 3v5.5c0 4.4-2.9 7.7-7 9.5-4.1-1.8-7-5.1-7-9.5V6zM9 12l2.2 2.2L15.2 10'

/**
 * Renders react-admin's user menu with the security page and the logout. A logout that fails keeps
 * the user in the panel and shows the reason.
 *
 * @example
 * ```tsx
 * const MyAppBar = () => <PanelAppBar userMenu={<PanelUserMenu securityPath="/account" />} />
 * ```
 */
export function PanelUserMenu({ securityPath = '/security', children }: PanelUserMenuProps) {
  const user = useUser()
  const isOwn = user === null || impersonatorOf(user) === null
  return (
    <UserMenu>
      {securityPath !== null && isOwn && <SecurityItem path={securityPath} />}
      {children}
      <LogoutItem />
    </UserMenu>
  )
}

interface SecurityItemProps {
  readonly path: string
}

/** Takes further properties: the menu passes its first item the focus by them. */
const SecurityItem = forwardRef<HTMLElement, SecurityItemProps>(({ path, ...item }, ref) => {
  const text = useText()
  const basename = useBasename()
  const menu = useUserMenu()
  return (
    <MenuItemLink
      {...item}
      ref={ref}
      to={basename + path}
      primaryText={text('ui.security.title')}
      leftIcon={<Icon path={SHIELD} size={20} />}
      onClick={() => menu?.onClose()}
    />
  )
})

/** Logs out of the service first: react-admin ignores a logout that fails. */
const LogoutItem = forwardRef<HTMLLIElement>((item, ref) => {
  const session = useSession()
  const texts = useTexts()
  const notify = useNotify()
  const logout = useLogout()
  const menu = useUserMenu()
  async function logOut() {
    menu?.onClose()
    const problem = problemOf(await session.logout(), texts)
    if (problem === null) await logout({}, undefined, false)
    else notify(problem, { type: 'error' })
  }
  return <Logout {...item} ref={ref} onClick={() => void logOut()} />
})
