import { createContext, useContext, type ComponentType } from 'react'
import { panelDefaults, withDefaults, type WrittenPage } from '../../src/rules/panel-settings.ts'
import { impersonatorOf, type HostPage, type PanelUser } from '../client/client.ts'
import { useSession } from '../react/session/provider.tsx'
import type { PartState } from '../react/session/use-part.ts'
import type { SessionSetting } from './defaults.ts'
import type { PanelOptions } from './panel-options.ts'
import type { HostScreen } from './screens/host-screen.tsx'

/** The panel's settings with their defaults, and the host's own pages. */
export interface Page
  extends
    Required<Omit<PanelOptions, 'locale' | 'session' | 'pages' | 'isOutdated' | SessionSetting>>,
    LoadedPages {}

/** The host's own pages, and the file that renders them and the links to them. */
export interface LoadedPages {
  /** In the order of the navigation; none while they load. */
  readonly pages: readonly HostPage[]
  /** `null` without pages. */
  readonly HostScreen: typeof HostScreen | null
  /** `null` without pages. */
  readonly Navigation: ComponentType<{ readonly path: string }> | null
}

/** The host's own pages, while they load and after. */
export type PagesPart = PartState<LoadedPages>

export const NO_PAGES: LoadedPages = { pages: [], HostScreen: null, Navigation: null }

const DEFAULTS: Required<Pick<PanelOptions, keyof typeof panelDefaults | Menu>> = {
  ...panelDefaults,
  themeMenu: 'absent',
  languageMenu: 'absent',
}

type Menu = 'themeMenu' | 'languageMenu'

/** Fills in the defaults. */
export function pageOf(options: PanelOptions): Page {
  const { name = document.title, base } = options
  return { ...withDefaults(DEFAULTS, options), name, base, ...NO_PAGES }
}

/** Provides the page to the screens. */
export const PageContext = createContext<Page | null>(null)

/** Returns the page, inside a screen. */
export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('there is no page around this screen')
  return page
}

/** Returns whether the panel has a security page for the user. */
export function useHasSecurity(user: PanelUser): boolean {
  const { twoFactor } = usePage()
  const { passwords, sessions, activity } = useSession()
  const isBound = twoFactor === 'bound' || passwords || sessions || activity
  return isBound && impersonatorOf(user) === null
}

/** Reads what the service has written into `<html>`. */
export function readPage({ dataset }: HTMLElement): WrittenPage {
  // The service of the same build wrote it: the name of this script, which is in the document,
  // changes with its content.
  return JSON.parse(dataset['svcPage'] ?? '{}') as WrittenPage
}
