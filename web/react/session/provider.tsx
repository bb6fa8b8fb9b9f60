import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ReactNode } from 'react'
import type { PanelSession, PanelState, PanelUser } from '../../client/client.ts'
import { englishTexts, languageAttributes, loadTexts, textLocale } from '../texts/texts.ts'
import type { LanguageAttributes, Text, Texts } from '../texts/texts.ts'
import { TextsNotLoaded } from '../texts/texts-not-loaded.tsx'

/** The properties of `PanelAuthProvider`. */
export interface PanelAuthProviderProps {
  /** The session that all components inside share. The host starts it. */
  readonly session: PanelSession
  /** A BCP 47 tag. Default: `en`. */
  readonly locale?: string
  /**
   * Returns `true` if the server has a newer version of the page; called when a file of the page
   * does not load. Must not reject. Default: the page is never outdated.
   */
  readonly isOutdated?: () => Promise<boolean>
  readonly children?: ReactNode
}

interface PanelAuthContext {
  readonly session: PanelSession
  readonly locale: string
  readonly isOutdated: () => Promise<boolean>
  readonly texts: Texts
  readonly attributes: LanguageAttributes
  readonly announce: (message: string) => void
}

const Context = createContext<PanelAuthContext | null>(null)

const NEVER_OUTDATED = async () => false

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
export function PanelAuthProvider(props: PanelAuthProviderProps) {
  const { session, locale = 'en', isOutdated = NEVER_OUTDATED, children } = props
  const language = textLocale(locale)
  const texts = useLoadedTexts(language)
  const { message, screen, announce } = useStatus(session)
  const context = useMemo(
    () =>
      texts && {
        session,
        locale: texts.locale,
        isOutdated,
        texts,
        attributes: languageAttributes(texts, locale),
        announce,
      },
    [session, locale, isOutdated, texts, announce],
  )
  if (context === null) return null
  const { notLoaded, text } = context.texts
  return (
    <Context.Provider value={context}>
      {children}
      {notLoaded !== null && (
        <TextsNotLoaded
          locale={notLoaded}
          label={text('ui.language')}
          screen={screen}
          announce={announce}
        />
      )}
      <div role="status" data-svc-part="status" {...context.attributes}>
        {message}
      </div>
    </Context.Provider>
  )
}

interface TextsProviderProps {
  readonly texts: Texts
  readonly children: ReactNode
}

/** Provides other texts to its children. */
export function TextsProvider({ texts, children }: TextsProviderProps) {
  const context = usePanelAuth()
  const extended = useMemo(() => ({ ...context, texts }), [context, texts])
  return <Context.Provider value={extended}>{children}</Context.Provider>
}

/**
 * Returns the session, for logging in and out.
 *
 * @example
 * ```tsx
 * function Retry() {
 *   const session = useSession()
 *   return <button onClick={() => void session.refresh()}>Try again</button>
 * }
 * ```
 */
export function useSession(): PanelSession {
  return usePanelAuth().session
}

/**
 * Returns the state of the panel; renders again when it changes.
 *
 * @example
 * ```tsx
 * function Screen() {
 *   const { state } = usePanelState()
 *   return state === 'code' ? <CodeForm /> : <LoginForm />
 * }
 * ```
 */
export function usePanelState(): PanelState {
  const { subscribe, getState } = useSession()
  return useSyncExternalStore(subscribe, getState, getState)
}

/**
 * Returns the user, or `null` without a session.
 *
 * @example
 * ```tsx
 * function Greeting() {
 *   const user = useUser()
 *   return <p>Hello, {user?.name ?? 'guest'}</p>
 * }
 * ```
 */
export function useUser(): PanelUser | null {
  const state = usePanelState()
  return state.state === 'ready' ? state.user : null
}

/** Returns the function that looks up texts in the panel's language. */
export function useText(): Text {
  return useTexts().text
}

/** Returns the texts of the panel's language. */
export function useTexts(): Texts {
  return usePanelAuth().texts
}

/** Returns the attributes that keep English texts English in a page of another language. */
export function useLanguageAttributes(): LanguageAttributes {
  return usePanelAuth().attributes
}

/** Returns the function that checks for a newer version of the page. */
export function useIsOutdated(): () => Promise<boolean> {
  return usePanelAuth().isOutdated
}

/**
 * Returns the language of the texts; English if those of the wanted language did not load.
 *
 * @example
 * ```tsx
 * function Today() {
 *   const locale = useLocale()
 *   return <time>{new Date().toLocaleDateString(locale)}</time>
 * }
 * ```
 */
export function useLocale(): string {
  return usePanelAuth().locale
}

/**
 * Returns the function that announces a message politely, without moving the focus.
 *
 * @example
 * ```tsx
 * function SaveButton() {
 *   const announce = useAnnounce()
 *   return <button onClick={() => announce('The order is saved.')}>Save</button>
 * }
 * ```
 */
export function useAnnounce(): (message: string) => void {
  return usePanelAuth().announce
}

/**
 * Keeps the current announcement; clears it when the state changes, because it belongs to one
 * screen.
 */
function useStatus(session: PanelSession) {
  const [announcement, setAnnouncement] = useState({ screen: '', message: '' })
  const screen = useCallback(() => screenOf(session.getState()), [session])
  const shown = useSyncExternalStore(session.subscribe, screen, screen)
  const announce = useCallback(
    (message: string) => setAnnouncement({ screen: screen(), message }),
    [screen],
  )
  const message = announcement.screen === shown ? announcement.message : ''
  return { message, screen: shown, announce }
}

/** Returns the name of the state's screen. */
export function screenOf(state: PanelState): string {
  if (state.state === 'password') return state.step
  return state.state === 'gated' ? state.gate : state.state
}

function usePanelAuth(): PanelAuthContext {
  const context = useContext(Context)
  if (context === null) throw new Error('put <PanelAuthProvider session={…}> around this component')
  return context
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
