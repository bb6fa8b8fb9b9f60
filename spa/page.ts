import { createContext, useContext } from 'react'
import type { HostPage } from '../src/client/client.ts'
import type { Part } from '../src/react/use-part.ts'
import type { PanelOptions } from './panel-options.ts'

/** Settings that the server has written into the page. */
export type PageSettings = Required<
  Omit<PanelOptions, 'locale' | 'session' | 'pages' | 'isOutdated'>
>

/** Settings of the page, with the host's own pages. */
export interface Page extends PageSettings {
  /** The host's own pages, in the order of the navigation. */
  readonly pages: readonly HostPage[]
}

/** The host's own pages, while they load and after. */
export type PagesPart = Part<readonly HostPage[]>

/** The page as the server describes it; the host's pages are a module. */
export interface WrittenPage extends Omit<PageSettings, 'themeMenu'> {
  /** Address of the module; `null` without host pages. */
  readonly pagesModule: string | null
  /** Version of the page. */
  readonly release: string
}

const NO_PAGE: Page = {
  base: '',
  name: '',
  help: null,
  twoFactor: 'absent',
  linkMinutes: 0,
  themeMenu: 'absent',
  pages: [],
}

/** Provides the page to the screens. */
export const PageContext = createContext<Page>(NO_PAGE)

/** Returns the page, inside a screen. */
export function usePage(): Page {
  return useContext(PageContext)
}

/** Reads the page's settings from `<html>`. */
export function readPage({ dataset }: HTMLElement): WrittenPage {
  const { svcBase = '', svcName = '', svcHelp = '', svcPages = '', svcRelease = '' } = dataset
  return {
    base: svcBase,
    name: svcName,
    help: svcHelp === '' ? null : svcHelp,
    twoFactor: dataset['svcTwoFactor'] === 'bound' ? 'bound' : 'absent',
    linkMinutes: Number(dataset['svcLinkMinutes']),
    pagesModule: svcPages === '' ? null : svcPages,
    release: svcRelease,
  }
}
