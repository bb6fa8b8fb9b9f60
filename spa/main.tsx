import { textLocale } from '../src/react/react.ts'
import { hostPages } from './host-pages.ts'
import { mountPanel } from './mount-panel.tsx'
import { readPage } from './page.ts'
import { askPage } from './release.ts'

const root = document.documentElement
const locale = textLocale(root.lang)
// Where there are no texts in the language that was asked for, the page is English and says so.
if (!root.lang.toLowerCase().startsWith(locale)) {
  root.lang = locale
  root.dir = 'ltr'
}
const { pagesModule, release, ...page } = readPage(root)
mountPanel(document.querySelector('#app'), {
  ...page,
  pages: hostPages(pagesModule),
  locale,
  isOutdated: askPage(page.base, release),
})
