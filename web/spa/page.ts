import { createContext, useContext } from 'react'
import type { HostPage } from '../client/client.ts'
import type { Part } from '../react/use-part.ts'
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
interface WrittenPage extends Omit<PageSettings, 'themeMenu' | 'languageMenu'> {
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
  resetPassword: null,
  codeDigits: null,
  themeMenu: 'absent',
  languageMenu: 'absent',
  pages: [],
}

/** Provides the page to the screens. */
export const PageContext = createContext<Page>(NO_PAGE)

/** Returns the page, inside a screen. */
export function usePage(): Page {
  return useContext(PageContext)
}

/** Reads the page's settings from `<html>`. A document of an earlier version lacks some. */
export function readPage({ dataset }: HTMLElement): WrittenPage {
  const { svcBase = '', svcName = '', svcRelease = '' } = dataset
  const digits = given(dataset['svcCodeDigits'])
  return {
    base: svcBase,
    name: svcName,
    help: given(dataset['svcHelp']),
    resetPassword: given(dataset['svcResetPassword']),
    codeDigits: digits === null ? null : Number(digits),
    twoFactor: dataset['svcTwoFactor'] === 'bound' ? 'bound' : 'absent',
    linkMinutes: Number(dataset['svcLinkMinutes']),
    pagesModule: given(dataset['svcPages']),
    release: svcRelease,
  }
}

/** Returns the text of an attribute; `null` if it is missing or empty. */
function given(text = ''): string | null {
  return text === '' ? null : text
}
