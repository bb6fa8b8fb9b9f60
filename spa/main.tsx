import type { HostPage, HostPages } from '../src/client/client.ts'
import { textLocale } from '../src/react/react.ts'
import { mountPanel } from './mount-panel.tsx'
import { readPage } from './page.ts'

const root = document.documentElement
const locale = textLocale(root.lang)
// Where there are no texts in the language that was asked for, the page is English and says so.
if (!root.lang.toLowerCase().startsWith(locale)) {
  root.lang = locale
  root.dir = 'ltr'
}
const { pagesModule, ...page } = readPage(root)
const pages = await pagesOf(pagesModule)
mountPanel(document.querySelector('#app'), { ...page, pages, locale })

/** A panel without its host's pages can still be logged in to, and left. */
async function pagesOf(address: string | null): Promise<readonly HostPage[]> {
  if (address === null) return []
  try {
    // The host answers for what its module exports.
    const { pages } = (await import(/* @vite-ignore */ address)) as HostPages
    return pages
  } catch (error) {
    console.error(`spa.pages: ${address} could not be loaded; serve it as a module`, error)
    return []
  }
}
