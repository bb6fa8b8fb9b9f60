import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { PanelSession } from '../../client/client.ts'
import { watchInput } from '../parts/unsaved-input.ts'
import { languageAttributes } from '../texts/language-attributes.ts'
import { englishTexts, loadTexts, textLocale } from '../texts/texts.ts'
import type { Texts } from '../texts/texts.ts'
import { TextsNotLoaded } from './texts-not-loaded.tsx'
import { ConfirmationQuestion } from './confirmation-question.tsx'
import { NewVersionBar } from './new-version.tsx'
import { Context, screenOf } from './provider.tsx'
import { createReleaseWatch, type ReleaseWatch } from './release-watch.ts'

/** The properties of `PanelAuthProvider`. */
export interface PanelAuthProviderProps {
  /** The session that all components inside share. The host starts it. */
  readonly session: PanelSession
  /** A BCP 47 tag. Default: `en`. */
  readonly locale?: string
  /**
   * Returns `true` if the server has a newer version of the page, which a bar then offers to load.
   * Called when a file of the page does not load, and at most once a minute when the user returns
   * to the tab. Must keep its identity between renders. Default: the page is never outdated.
   */
  readonly isOutdated?: () => Promise<boolean>
  readonly children?: ReactNode
}

/**
 * Provides the session and its texts to its children, and renders the page's `role="status"`
 * region. Renders nothing until the texts have loaded.
 *
 * @example
 * ```tsx
 * import { useEffect } from 'react'
 *
 * function Panel() {
 *   useEffect(() => session.start(), [])
 *   return (
 *     <PanelAuthProvider session={session} locale="fr">
 *       <LoginForm />
 *     </PanelAuthProvider>
 *   )
 * }
 * ```
 */
export function PanelAuthProvider({ isOutdated, ...props }: PanelAuthProviderProps) {
  const release = useMemo(() => createReleaseWatch(isOutdated), [isOutdated])
  return <WatchedProvider {...props} release={release} />
}

export interface WatchedProviderProps extends Omit<PanelAuthProviderProps, 'isOutdated'> {
  readonly release: ReleaseWatch
}

/** Provides the session, its texts, and a watch that the host has made itself. */
export function WatchedProvider(props: WatchedProviderProps) {
  const { session, locale = 'en', release, children } = props
  const language = textLocale(locale)
  const texts = useLoadedTexts(language)
  const { message, count, announce, withdraw } = useStatus(session)
  useEffect(watchInput, [])
  const context = useMemo(
    () => texts && { session, release, texts, announce, withdraw },
    [session, release, texts, announce, withdraw],
  )
  if (context === null) return null
  const { locale: shown, notLoaded } = context.texts
  return (
    <Context.Provider value={context}>
      <ConfirmationQuestion />
      {children}
      {notLoaded === null ? <NewVersionBar /> : <TextsNotLoaded locale={notLoaded} />}
      <div role="status" data-svc-part="status" {...languageAttributes(shown)}>
        {/* New for each message: screen readers announce the same words again, and a translation by
            the browser, which replaces the text node, is removed with it. */}
        <span key={count}>{message}</span>
      </div>
    </Context.Provider>
  )
}

/**
 * Keeps the current announcement; clears it when the state changes, because it belongs to one
 * screen.
 */
function useStatus(session: PanelSession) {
  const [announcement, setAnnouncement] = useState({ screen: '', message: '', count: 0 })
  const screen = useCallback(() => screenOf(session.getState()), [session])
  const shown = useSyncExternalStore(session.subscribe, screen, screen)
  const announce = useCallback(
    (message: string) =>
      setAnnouncement(({ count }) => ({ screen: screen(), message, count: count + 1 })),
    [screen],
  )
  const withdraw = useCallback(
    (message: string) =>
      setAnnouncement((latest) =>
        latest.message === message ? { ...latest, message: '' } : latest,
      ),
    [],
  )
  const message = announcement.screen === shown ? announcement.message : ''
  return { message, count: announcement.count, announce, withdraw }
}

function useLoadedTexts(locale: string): Texts | null {
  const [texts, setTexts] = useState(() => (locale === 'en' ? englishTexts() : null))
  useEffect(() => {
    let wanted = true
    async function load() {
      const loaded = await loadTexts(locale)
      if (wanted) setTexts(loaded)
    }
    void load()
    return () => {
      wanted = false
    }
  }, [locale])
  return texts
}
