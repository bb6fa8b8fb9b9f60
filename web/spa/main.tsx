import { textLocale } from '../react/texts/texts.ts'
import { applyThemeColor } from '../react/parts/choices.ts'
import { hostPages } from './host-pages.ts'
import { mountPanel } from './mount-panel.tsx'
import { readPage } from './page.ts'
import { askPage } from './release.ts'

const root = document.documentElement
const locale = textLocale(root.lang)
// Without texts in the page's language, the page is English, and its `lang` must say so.
if (!root.lang.toLowerCase().startsWith(locale)) {
  root.lang = locale
  root.dir = 'ltr'
}
applyThemeColor()
const { pagesModule, release, ...page } = readPage(root)
mountPanel(document.querySelector('#app'), {
  ...page,
  themeMenu: 'shown',
  languageMenu: 'shown',
  pages: pagesModule === null ? [] : hostPages(pagesModule),
  locale,
  isOutdated: askPage(page.base, release),
})
