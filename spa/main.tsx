import { createAuthClient, createPanelSession, openPanelChannel } from '../src/client/client.ts'
import { textLocale } from '../src/react/react.ts'
import { takeArrival } from './arrival.ts'
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
const panel = page.base.slice(page.base.lastIndexOf('/') + 1)
const session = createPanelSession({
  client: createAuthClient(),
  channel: openPanelChannel(panel),
  panel,
  link: takeArrival(),
})
const element = document.querySelector('#app')
if (element === null) throw new Error('index.html has no #app')
mountPanel(element, { session, page, pages, locale })
