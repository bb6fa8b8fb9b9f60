import { textLocale } from '../src/react/react.ts'
import { loadHostPages } from './host-pages.ts'
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
// Under way while the service is asked who is here; nothing that is drawn before waits for it.
const pages = loadHostPages(pagesModule)
mountPanel(document.querySelector('#app'), { ...page, pages, locale })
