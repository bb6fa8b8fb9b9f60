import { useState } from 'react'
import type { PanelUser } from '../../src/client/client.ts'
import { AlertBox, LogoutButton, problemContent, useText } from '../../src/react/react.ts'
import { usePage } from '../page.ts'
import { Brand, Heading, Mark, useTitle } from '../screen.tsx'
import { Home, NotFound } from './pages.tsx'

export interface ReadyScreenProps {
  readonly user: PanelUser
  /** What follows the base in the address. */
  readonly path: string
}

/** The panel itself: who is here, and the page of the address. */
export function ReadyScreen({ user, path }: ReadyScreenProps) {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  const isHome = path === '' || path === '/'
  const title = isHome ? welcome(user, text) : text('ui.not_found.title')
  useTitle(title, problem === null ? 'none' : 'shown')
  return (
    <>
      <Header user={user} onProblem={setProblem} />
      <main className="svc-page">
        <AlertBox content={problemContent(problem)} focusOn={problem} />
        <Heading key={path}>{title}</Heading>
        {isHome ? <Home user={user} /> : <NotFound />}
      </main>
    </>
  )
}

interface HeaderProps {
  readonly user: PanelUser
  readonly onProblem: (message: string | null) => void
}

function Header({ user, onProblem }: HeaderProps) {
  const { base } = usePage()
  const person = user.name ?? user.email
  return (
    <header className="svc-header">
      <a className="svc-to-home" href={base}>
        <Brand />
      </a>
      <span className="svc-person">
        <Mark name={person} />
        <bdi translate="no">{person}</bdi>
      </span>
      <LogoutButton onProblem={onProblem} />
    </header>
  )
}

function welcome({ name }: PanelUser, text: ReturnType<typeof useText>): string {
  return name === null ? text('ui.home.title_nameless') : text('ui.home.title', { name })
}
