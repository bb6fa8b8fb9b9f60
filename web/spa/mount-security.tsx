import { PanelGuard } from '../react/react.ts'
import { SecurityView } from '../react/security/security-content.tsx'
import { pageLocale, requireElement } from './defaults.ts'
import { renderInto } from './mounted.tsx'
import type { SecurityOptions } from './panel-options.ts'

/**
 * Renders the security page into an element, with its heading: the user's password, if the session
 * has `passwords`, the second factor, the sessions, if it has `sessions`, and the latest security
 * events, if it has `activity`. Renders nothing unless the user has passed every gate.
 * Called again with the same element, it changes the options.
 *
 * @returns A function that removes it.
 * @throws {Error} There is no element; the message says what to pass.
 *
 * @example
 * ```ts
 * import '@svc/auth/style.css'
 *
 * const remove = mountSecurity(document.querySelector('main'), { session, name: 'Example Shop' })
 * ```
 */
export function mountSecurity(element: Element | null, options: SecurityOptions): () => void {
  const place = requireElement(element, 'mountSecurity')
  const { session, name, twoFactor, locale = pageLocale(), isOutdated, onTitle } = options
  return renderInto(place, {
    session,
    locale,
    ...(isOutdated && { isOutdated }),
    children: (
      <PanelGuard>
        <SecurityView
          panel={name}
          {...(twoFactor && { twoFactor })}
          {...(onTitle && { onTitle })}
        />
      </PanelGuard>
    ),
  })
}
