import { useState } from 'react'
import type { HostPage, PanelUser } from '../../client/client.ts'
import { useText } from '../../react/session/provider.tsx'
import { isolated, undirected } from '../../react/parts/isolated.ts'
import { untranslated } from '../../react/parts/untranslated.ts'
import { TextAround } from '../../react/session/address-text.tsx'
import { AlertBox, problemContent } from '../../react/session/alert-box.tsx'
import { isProblem, PartFailed, type FailedPart } from '../../react/session/part-failed.tsx'
import type { Text } from '../../react/texts/texts.ts'
import { Heading, PageMain, useTitle } from '../../react/session/screen.tsx'
import { SecurityScreen } from '../../react/screens/security-screen.tsx'
import { useHasSecurity, usePage, type LoadedPages } from '../page.ts'
import { withoutSlash } from '../history-router.ts'
import { Header } from './header.tsx'
import type { HostScreen } from './host-screen.tsx'
import { Home, NotFound } from './home.tsx'

export interface ReadyScreenProps {
  readonly user: PanelUser
  /** Path of the address after the base, without a slash at its end. */
  readonly path: string
  /** The host's own pages, if they did not load. */
  readonly failedPages: FailedPart | null
  readonly onRetry: () => void
}

/** Renders the panel: the user, the navigation and the page of the address. */
export function ReadyScreen({ user, path, failedPages, onRetry }: ReadyScreenProps) {
  const shown = shownAt(path, { ...usePage(), hasSecurity: useHasSecurity(user) })
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <>
      <Header user={user} path={path} onProblem={setProblem} />
      {failedPages !== null && isPlain(shown) ? (
        <PageWithoutTheirs
          shown={shown}
          user={user}
          problem={problem}
          part={failedPages}
          onRetry={onRetry}
        />
      ) : (
        <Main shown={shown} user={user} path={path} problem={problem} />
      )}
    </>
  )
}

interface MainProps<Of> extends Pick<ReadyScreenProps, 'user' | 'path'> {
  readonly shown: Of
  readonly problem: string | null
}

function Main({ shown, user, path, problem }: MainProps<Shown>) {
  const { twoFactor } = usePage()
  switch (shown.what) {
    case 'host':
      return <shown.HostScreen key={path} page={shown.page} problem={problem} />
    case 'security':
      return <SecurityScreen problem={problem} twoFactor={twoFactor} />
    case 'home':
    case 'nothing':
      return <PlainPage shown={shown} user={user} path={path} problem={problem} />
  }
}

function PlainPage({ shown, user, path, problem }: MainProps<PlainShown>) {
  const text = useText()
  useTitle(titleOf(shown, user, text), problem === null ? 'none' : 'shown')
  return (
    <PageMain>
      <AlertBox content={problemContent(problem)} focusOn={problem} />
      <Heading key={path}>
        <Title shown={shown} user={user} />
      </Heading>
      {shown.what === 'home' ? <Home user={user} /> : <NotFound />}
    </PageMain>
  )
}

interface PageWithoutTheirsProps extends Pick<MainProps<PlainShown>, 'shown' | 'user' | 'problem'> {
  readonly part: FailedPart
  readonly onRetry: () => void
}

/** Renders an address that may belong to one of the host's pages, which did not load. */
function PageWithoutTheirs({ shown, user, ...failed }: PageWithoutTheirsProps) {
  const text = useText()
  const isHome = shown.what === 'home'
  const isBroken = isProblem(failed.part)
  const failure = text(isBroken ? 'ui.broken.title' : 'ui.outdated.title')
  useTitle(isHome ? titleOf(shown, user, text) : failure, isBroken ? 'shown' : 'none')
  return (
    <PageMain>
      <Heading>{isHome ? <Title shown={shown} user={user} /> : failure}</Heading>
      <PartFailed {...failed} />
      {isHome && <Home user={user} />}
    </PageMain>
  )
}

/** Content of an address of the panel. */
type Shown =
  | PlainShown
  | { readonly what: 'security' }
  | {
      readonly what: 'host'
      readonly page: HostPage
      readonly HostScreen: typeof HostScreen
    }
type PlainShown = { readonly what: 'home' | 'nothing' }

function isPlain(shown: Shown): shown is PlainShown {
  return shown.what === 'home' || shown.what === 'nothing'
}

interface Pages extends LoadedPages {
  readonly hasSecurity: boolean
}

function shownAt(path: string, { pages, HostScreen, hasSecurity }: Pages): Shown {
  const page = pages.find((page) => withoutSlash(page.path) === path)
  if (page !== undefined && HostScreen !== null) return { what: 'host', page, HostScreen }
  if (path === '') return { what: 'home' }
  return { what: path === '/security' && hasSecurity ? 'security' : 'nothing' }
}

function titleOf(shown: PlainShown, { name }: PanelUser, text: Text): string {
  switch (shown.what) {
    case 'home':
      return name === null
        ? text('ui.home.title_nameless')
        : text('ui.home.title', { name: isolated(name) })
    case 'nothing':
      return text('ui.not_found.title')
  }
}

/** Renders the title. The name of the user in it keeps its own direction. */
function Title({ shown, user }: Pick<MainProps<PlainShown>, 'shown' | 'user'>) {
  const text = useText()
  const { name } = user
  if (shown.what !== 'home' || name === null) return titleOf(shown, user, text)
  return (
    <TextAround message="ui.home.title" value="name">
      <bdi ref={untranslated}>{undirected(name)}</bdi>
    </TextAround>
  )
}
