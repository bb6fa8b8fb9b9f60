import { createRoot } from 'react-dom/client'
import { createAuthClient, createPanelSession, openPanelChannel } from '../src/client/client.ts'
import { PanelAuthProvider, textLocale } from '../src/react/react.ts'
import { App } from './app.tsx'
import { onOtherUser } from './other-user.ts'
import { readPage } from './page.ts'
import { createRouter } from './router.ts'

const root = document.documentElement
const locale = textLocale(root.lang)
// Where there are no texts in the language that was asked for, the page is English and says so.
if (!root.lang.toLowerCase().startsWith(locale)) root.lang = locale
const page = readPage(root)
const panel = page.base.slice(page.base.lastIndexOf('/') + 1)
const session = createPanelSession({ client: createAuthClient(), channel: openPanelChannel(panel) })
const router = createRouter(page.base)
const element = document.querySelector('#app')
if (element === null) throw new Error('index.html has no #app')

createRoot(element).render(
  <PanelAuthProvider session={session} locale={locale}>
    <App page={page} router={router} />
  </PanelAuthProvider>,
)
onOtherUser(session, () => location.reload())
// A session that has ended elsewhere is noticed where the person turns to another page.
router.start(() => {
  if (session.getState().state === 'ready') void session.refresh()
})
session.start()
