import { createRoot } from 'react-dom/client'
import { createAuthClient, createPanelSession } from '../client/client.ts'
import {
  Bell,
  ImpersonationBanner,
  LogoutButton,
  PanelAuthProvider,
  PanelScreens,
  SecurityPage,
} from '../react/react.ts'
import { states, type PlaygroundState, type StateName } from './account.ts'
import { createFetch } from './scripted-service.ts'

const options = new URLSearchParams(location.search)
const locale = options.get('locale') ?? 'en'
const { account, path }: PlaygroundState = states[chosenState()]

document.documentElement.lang = locale
document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr'
const theme = options.get('theme')
if (theme !== null && theme !== '') document.documentElement.dataset['svcTheme'] = theme

// There is no server that a stream could come from: the bell asks again every minute instead.
Reflect.deleteProperty(globalThis, 'EventSource')

// The page is one file: it takes the address of a state for as long as the session reads it.
const here = location.href
if (path !== undefined) history.replaceState(null, '', path)
const session = createPanelSession({
  client: createAuthClient({ fetch: createFetch({ ...account }) }),
  passwords: true,
  sessions: true,
  activity: true,
  rememberDays: 30,
  trustDays: 30,
})
history.replaceState(null, '', here)
session.start()

createRoot(document.querySelector('#app') ?? document.body).render(
  <PanelAuthProvider session={session} locale={locale}>
    <PanelScreens name="Example Shop" codeDigits={6} linkMinutes={60}>
      <ImpersonationBanner place="here" />
      <header>
        <strong>Example Shop</strong>
        <Bell />
        <LogoutButton />
      </header>
      <main>
        <h1>Security</h1>
        <SecurityPage panel="Example Shop" />
      </main>
    </PanelScreens>
  </PanelAuthProvider>,
)

function chosenState(): StateName {
  const state = options.get('state') ?? ''
  // `Object.hasOwn` has just said so.
  return Object.hasOwn(states, state) ? (state as StateName) : 'login'
}
