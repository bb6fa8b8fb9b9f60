import { createRoot } from 'react-dom/client'
import { createAuthClient, createPanelSession, openPanelChannel } from '../src/client/client.ts'
import { PanelAuthProvider, textLocale } from '../src/react/react.ts'
import { App } from './app.tsx'
import { readPage } from './page.ts'
import { createRouter } from './router.ts'

const root = document.documentElement
const page = readPage(root)
const panel = page.base.slice(page.base.lastIndexOf('/') + 1)
const session = createPanelSession({ client: createAuthClient(), channel: openPanelChannel(panel) })
const element = document.querySelector('#app')
if (element === null) throw new Error('index.html has no #app')

createRoot(element).render(
  <PanelAuthProvider session={session} locale={textLocale(root.lang)}>
    <App page={page} router={createRouter(page.base)} />
  </PanelAuthProvider>,
)
session.start()
