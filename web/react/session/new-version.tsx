import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { onReturn } from '../../client/on-return.ts'
import { useAnnounce, useLanguageAttributes, useRelease, useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'

export interface NewVersionProps {
  /** `bottom`: at the lower edge of the window. `here`: in place of what did not load. */
  readonly place: 'bottom' | 'here'
}

/**
 * Says that the server has a newer version of the page, and offers to load it. It is no error: the
 * focus and the input of the user stay.
 */
export function NewVersion({ place }: NewVersionProps) {
  const text = useText()
  const announce = useAnnounce()
  const bar = useRef<HTMLElement>(null)
  const message = text('ui.outdated')
  useEffect(() => announce(message), [announce, message])
  useLayoutEffect(() => {
    // The pressed button that it replaces had the focus.
    if (place === 'here' && document.activeElement === document.body) bar.current?.focus()
  }, [place])

  return (
    <section
      {...useLanguageAttributes()}
      ref={bar}
      aria-label={message}
      tabIndex={-1}
      data-svc-root=""
      data-svc-part="new-version"
      data-place={place}
    >
      <p>{message}</p>
      <ReloadButton />
    </section>
  )
}

/** Renders the bar at the lower edge of the window while the page is outdated. */
export function NewVersionBar() {
  const release = useRelease()
  const isOutdated = useSyncExternalStore(release.subscribe, release.isOutdated, release.isOutdated)
  useEffect(() => onReturn(release.check), [release])
  return isOutdated ? <NewVersion place="bottom" /> : null
}
