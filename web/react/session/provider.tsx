import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import type { PanelSession, PanelState, PanelUser } from '../../client/client.ts'
import type { ReleaseWatch } from './release-watch.ts'
import { languageAttributes } from '../texts/language-attributes.ts'
import type { LanguageAttributes } from '../texts/language-attributes.ts'
import type { Text, Texts } from '../texts/texts.ts'

interface PanelAuthContext {
  readonly session: PanelSession
  readonly release: ReleaseWatch
  readonly texts: Texts
  readonly announce: (message: string) => void
  /** Removes the announcement if it is still the latest. */
  readonly withdraw: (message: string) => void
}

/** Provides the session to the components. */
export const Context = createContext<PanelAuthContext | null>(null)

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
  return useSyncExternalStore(subscribe, getState, stateOnServer)
}

const ON_SERVER: PanelState = { state: 'booting', link: null }

/**
 * Returns the state that a server has rendered, which has no visitor. A part of the page that
 * hydrates late must render it again, although the session has moved on.
 */
function stateOnServer(): PanelState {
  return ON_SERVER
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

/** Returns the attributes of an element with texts, for a page in another language. */
export function useLanguageAttributes(): LanguageAttributes {
  return languageAttributes(useLocale())
}

/** Returns the watch that notices a newer version of the page. */
export function useRelease(): ReleaseWatch {
  return usePanelAuth().release
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
  return useTexts().locale
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

/** Returns the function that removes an announcement unless another has replaced it. */
export function useWithdraw(): (message: string) => void {
  return usePanelAuth().withdraw
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
