import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { screenDefaults, type ScreenOptions } from '../../../src/rules/panel-settings.ts'
import { useLanguageAttributes, useText } from './provider.tsx'
import type { Problem } from './use-problem.ts'

/** The properties that all screens share. */
export interface ScreenProps extends ScreenOptions {
  /** Rendered above every screen. Default: the panel's name and its mark. */
  readonly brand?: ReactNode
  /** Rendered below the login form and the code form, such as a link to help. Default: nothing. */
  readonly help?: ReactNode
  /**
   * Rendered below the login form: a link that resets a password. Default: nothing. Not rendered if
   * the session has `passwords`: the service then resets them.
   */
  readonly forgotPassword?: ReactNode
  /**
   * Called with the question to ask before the user leaves a screen, in the panel's language;
   * `null` for none. Must keep its identity between renders. Default: only the browser asks, before
   * it leaves the document.
   */
  readonly onQuestion?: (question: string | null) => void
}

type ScreenSettings = Required<ScreenProps>

export const PLAIN_SCREEN: ScreenSettings = {
  name: '',
  brand: null,
  help: null,
  forgotPassword: null,
  ...screenDefaults,
  onQuestion: () => {},
}

/** Provides the settings to the screens. */
export const ScreenContext = createContext<ScreenSettings>(PLAIN_SCREEN)

/** Returns the settings, inside a screen. */
export function useScreen(): ScreenSettings {
  return useContext(ScreenContext)
}

/**
 * Sets the title of the document: heading, panel, and a mark for an error. Restores the title when
 * the screen is removed, for hosts that set theirs once.
 */
export function useTitle(heading: string, problem: Problem): void {
  const text = useText()
  const { name } = useScreen()
  const title = `${heading} · ${name}`
  useEffect(() => {
    const before = document.title
    document.title = problem === 'shown' ? text('ui.title.error', { title }) : title
    const ours = document.title
    return () => {
      if (document.title === ours) document.title = before
    }
  }, [text, title, problem])
}

export interface HeadingProps {
  /** Language, if it differs from the page's. */
  readonly lang?: string | undefined
  readonly children: ReactNode
}

/** Renders the heading of a screen; it takes the focus when the screen appears. */
export function Heading({ lang, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1} lang={lang}>
      {children}
    </h1>
  )
}

/** Id of the main content, for the link that skips the header. */
export const MAIN_ID = 'svc-main'

/** Renders the main content below the header. */
export function PageMain({ children }: { readonly children: ReactNode }) {
  return (
    <main
      {...useLanguageAttributes()}
      id={MAIN_ID}
      tabIndex={-1}
      className="svc-page"
      data-svc-part="screen"
    >
      {children}
    </main>
  )
}

export interface CardScreenProps {
  readonly title: string
  /** `shown` while the screen shows an error, which the title of the document says. */
  readonly problem: Problem
  /** The heading takes the focus when the screen appears. Default: `false`. */
  readonly takesFocus?: boolean
  readonly children: ReactNode
}

/** Renders a screen of one card below the panel's name. */
export function CardScreen({ title, problem, takesFocus = false, children }: CardScreenProps) {
  useTitle(title, problem)
  return (
    <main {...useLanguageAttributes()} className="svc-auth" data-svc-part="screen">
      <div className="svc-card">
        <Brand />
        {takesFocus ? <Heading>{title}</Heading> : <h1>{title}</h1>}
        {children}
      </div>
    </main>
  )
}

/** Renders the host's brand; by default the panel's name and its mark. */
export function Brand() {
  const { brand, name } = useScreen()
  if (brand !== null) return brand
  return (
    <p className="svc-brand">
      <Mark name={name} />
      <span dir="auto">{name}</span>
    </p>
  )
}

/** A name may begin with a quote, a bracket, an emoji or a mark of its direction. */
const LETTER = /[\p{L}\p{N}]\p{M}*/u

/** Renders the first letter of a name, hidden from screen readers. */
export function Mark({ name }: { readonly name: string }) {
  const [letter = ''] = LETTER.exec(name) ?? Array.from(name.trim())
  return (
    <span className="svc-mark" aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  )
}
