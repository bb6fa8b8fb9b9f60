import type { HostPages } from '@svc/auth/client'
import { make } from './dom.ts'
import { people } from './people.ts'
import { send } from './send.ts'

// The page's Content-Security-Policy allows style sheets of this site, but no inline styles.
const styles = new URL('pages.css', import.meta.url).href
const sheet = make('link', { rel: 'stylesheet', href: styles })
document.head.append(sheet)
// A page that is shown before its styles would move. Without them it is still a page.
await new Promise((settle) => {
  sheet.addEventListener('load', settle)
  sheet.addEventListener('error', settle)
})

/** The reference panel's own pages, in the order of the navigation, for `spa.pages`. */
export const pages: HostPages['pages'] = [people, send]
