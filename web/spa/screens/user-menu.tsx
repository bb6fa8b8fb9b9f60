import type { PanelUser } from '../../client/client.ts'
import { LogoutButton } from '../../react/react.ts'
import { Icon } from '../../react/parts/icon.tsx'
import { useText } from '../../react/session/provider.tsx'
import { untranslated } from '../../react/parts/untranslated.ts'
import { useHasSecurity, usePage } from '../page.ts'
import { Mark } from '../../react/session/screen.tsx'
import { ICONS } from './icons.ts'
import { LanguageChoice, ThemeChoice } from './menu-choices.tsx'
import { useMenu } from './use-menu.ts'

export interface UserMenuProps {
  readonly user: PanelUser
  /** Path of the address after the base, without a slash at its end. */
  readonly path: string
  readonly onProblem: (message: string | null) => void
}

/** Renders the menu of the user: name, email, security page, theme, language and logout. */
export function UserMenu({ user, path, onProblem }: UserMenuProps) {
  const text = useText()
  const { themeMenu, languageMenu } = usePage()
  const hasSecurity = useHasSecurity(user)
  const { container, button, content, close } = useMenu()
  const person = user.name ?? user.email
  function onLogout(problem: string | null) {
    if (problem === null) close()
    onProblem(problem)
  }
  return (
    <div ref={container} className="svc-user">
      <button
        className="svc-user-button"
        aria-label={text('ui.user.menu', { name: person })}
        {...button}
      >
        <Mark name={person} />
        <bdi ref={untranslated} className="svc-user-name">
          {person}
        </bdi>
      </button>
      <div className="svc-user-menu" {...content}>
        <div className="svc-user-scroll svc-scroll">
          <Identity user={user} />
          {hasSecurity && <SecurityLink path={path} onFollow={close} />}
          {themeMenu === 'shown' && <ThemeChoice />}
          {languageMenu === 'shown' && <LanguageChoice />}
        </div>
        <div className="svc-user-end">
          <Icon path={ICONS.leave} size={20} />
          <LogoutButton onProblem={onLogout} />
        </div>
      </div>
    </div>
  )
}

function Identity({ user: { name, email } }: Pick<UserMenuProps, 'user'>) {
  return (
    <p ref={untranslated} className="svc-user-who">
      {name !== null && <bdi>{name}</bdi>}
      <bdi dir="ltr">{email}</bdi>
    </p>
  )
}

interface SecurityLinkProps extends Pick<UserMenuProps, 'path'> {
  readonly onFollow: () => void
}

function SecurityLink({ path, onFollow }: SecurityLinkProps) {
  const text = useText()
  const { base } = usePage()
  return (
    <a
      href={`${base}/security`}
      aria-current={path === '/security' ? 'page' : undefined}
      onClick={onFollow}
    >
      <Icon path={ICONS.shield} size={20} />
      {text('ui.security.title')}
    </a>
  )
}
