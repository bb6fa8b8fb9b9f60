import { createContext, useContext } from 'react'

/** What the server has written into the page. */
export interface Page {
  /** Path of the panel, such as `/admin/main`. */
  readonly base: string
  /** Name that people know the panel by. */
  readonly name: string
  /** Address of help; `null` where there is none. */
  readonly help: string | null
}

/** Gives the page to the screens. */
export const PageContext = createContext<Page>({ base: '', name: '', help: null })

/** The page, inside a screen. */
export function usePage(): Page {
  return useContext(PageContext)
}

/** Reads the page's own description from `<html>`. */
export function readPage({ dataset }: HTMLElement): Page {
  const { svcBase = '', svcName = '', svcHelp = '' } = dataset
  return { base: svcBase, name: svcName, help: svcHelp === '' ? null : svcHelp }
}
