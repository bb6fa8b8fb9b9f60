import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useText } from '../src/react/provider.tsx'
import type { Problem } from '../src/react/react.ts'
import { usePage } from './page.ts'

/** Sets the title of the document: heading, panel, and a mark for an error. */
export function useTitle(heading: string, problem: Problem): void {
  const text = useText()
  const { name } = usePage()
  const title = `${heading} · ${name}`
  useEffect(() => {
    document.title = problem === 'shown' ? text('ui.title.error', { title }) : title
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

/** Renders a screen of one card below the panel's name. */
export function CardScreen({ children }: { readonly children: ReactNode }) {
  return (
    <main className="svc-auth">
      <div className="svc-card">
        <Brand />
        {children}
      </div>
    </main>
  )
}

/** Renders the panel's name and its mark. */
export function Brand() {
  const { name } = usePage()
  return (
    <p className="svc-brand">
      <Mark name={name} />
      <span dir="auto">{name}</span>
    </p>
  )
}

/** Renders the first letter of a name, hidden from screen readers. */
export function Mark({ name }: { readonly name: string }) {
  const [letter = ''] = name.trim()
  return (
    <span className="svc-mark" aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  )
}

/** Renders a link to the host's help, if there is one. */
export function Help({ href }: { readonly href: string | null }) {
  const text = useText()
  if (href === null) return null
  return (
    <p className="svc-aside">
      <a href={href}>{text('ui.login.help')}</a>
    </p>
  )
}
