import { createContext, useContext } from 'react'
import type { PanelOptions } from './panel-options.ts'

/** What the server has written into the page, and what the host has added. */
export type Page = Required<Omit<PanelOptions, 'locale' | 'session'>>

/** What the server says of a page; its pages are a module of the host. */
export interface WrittenPage extends Omit<Page, 'pages'> {
  /** Address of the module; `null` where there is none. */
  readonly pagesModule: string | null
}

const NO_PAGE: Page = {
  base: '',
  name: '',
  help: null,
  twoFactor: 'absent',
  linkMinutes: 0,
  pages: [],
}

/** Gives the page to the screens. */
export const PageContext = createContext<Page>(NO_PAGE)

/** The page, inside a screen. */
export function usePage(): Page {
  return useContext(PageContext)
}

/** Reads the page's own description from `<html>`. */
export function readPage({ dataset }: HTMLElement): WrittenPage {
  const { svcBase = '', svcName = '', svcHelp = '', svcPages = '' } = dataset
  return {
    base: svcBase,
    name: svcName,
    help: svcHelp === '' ? null : svcHelp,
    twoFactor: dataset['svcTwoFactor'] === 'bound' ? 'bound' : 'absent',
    linkMinutes: Number(dataset['svcLinkMinutes']),
    pagesModule: svcPages === '' ? null : svcPages,
  }
}
