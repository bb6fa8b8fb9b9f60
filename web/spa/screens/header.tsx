import type { MouseEvent } from 'react'
import { Bell, ImpersonationBanner } from '../../react/react.ts'
import { useText } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'
import { Brand, MAIN_ID } from '../../react/session/screen.tsx'
import { UserMenu, type UserMenuProps } from './user-menu.tsx'

/** Renders the panel's name, the navigation, the bell and the menu of the user. */
export function Header(props: UserMenuProps) {
  const { base, Navigation } = usePage()
  return (
    <>
      <SkipLink />
      <ImpersonationBanner place="here" />
      <header className="svc-header">
        <a className="svc-to-home" href={base}>
          <Brand />
        </a>
        {Navigation !== null && <Navigation path={props.path} />}
        <div className="svc-tools">
          <Bell />
          <UserMenu {...props} />
        </div>
      </header>
    </>
  )
}

/** Renders a link past the header, which is visible while it has the focus. */
function SkipLink() {
  const text = useText()
  // The router would put the fragment into the address, and a reload would keep it.
  function skip(event: MouseEvent) {
    event.preventDefault()
    document.getElementById(MAIN_ID)?.focus()
  }
  return (
    <a className="svc-skip" href={`#${MAIN_ID}`} onClick={skip}>
      {text('ui.skip')}
    </a>
  )
}
