import { useLayoutEffect, useRef } from 'react'
import { onOtherUser } from '../client/session/other-user.ts'
import { ImpersonationBanner, PanelScreens, usePanelState, useSession } from '../react/react.ts'
import { pageLocale, requireElement } from './defaults.ts'
import { renderInto } from './mounted.tsx'
import type { ScreensOptions, ShowSlot } from './panel-options.ts'

/**
 * Renders into an element the screen that is due: loading, login, code, email verification,
 * required set-up of the second factor, or an outage. Renders nothing once the user has passed
 * every gate, but the way back of a person who acts as the user: the host's application is shown
 * then, and must be removed as soon as the state of the session is no longer `ready`. Reloads the
 * page when another user logs in. Called again with the same element, it changes the options.
 *
 * @returns A function that removes it.
 * @throws {Error} There is no element; the message says what to pass.
 *
 * @example
 * ```ts
 * import '@svc/auth/style.css'
 *
 * const remove = mountScreens(document.querySelector('#login'), { session, name: 'Example Shop' })
 * session.subscribe(() => {
 *   const { state } = session.getState()
 *   document.querySelector('#app')?.replaceChildren(state === 'ready' ? 'Orders' : '')
 * })
 * ```
 */
export function mountScreens(element: Element | null, options: ScreensOptions): () => void {
  const place = requireElement(element, 'mountScreens')
  const { session, locale = pageLocale(), isOutdated } = options
  return renderInto(place, {
    session,
    locale,
    ...(isOutdated && { isOutdated }),
    children: <Screens options={options} />,
  })
}

function Screens({ options }: { readonly options: ScreensOptions }) {
  const { brand, help, forgotPassword, ...screen } = options
  const session = useSession()
  const { state } = usePanelState()
  useLayoutEffect(() => onOtherUser(session, () => location.reload()), [session])
  return (
    // The style sheet must not reach the application.
    <div data-svc-root={state === 'ready' ? undefined : ''}>
      <PanelScreens
        {...screen}
        {...(brand && { brand: <Slot show={brand} /> })}
        {...(help && { help: <Slot show={help} /> })}
        {...(forgotPassword && { forgotPassword: <Slot show={forgotPassword} /> })}
      >
        <ImpersonationBanner />
      </PanelScreens>
    </div>
  )
}

/** Renders an element that the host fills. */
function Slot({ show }: { readonly show: ShowSlot }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (place.current === null ? undefined : show(place.current)), [show])
  return <div ref={place} />
}
