import type { HostPages } from '@svc/auth/client'
import { make } from './dom.ts'
import { people } from './people.ts'
import { send } from './send.ts'

// The page's Content-Security-Policy allows style sheets of this site, but no inline styles.
const styles = new URL('pages.css', import.meta.url).href
document.head.append(make('link', { rel: 'stylesheet', href: styles }))

/** The reference panel's own pages, in the order of the navigation, for `spa.pages`. */
export const pages: HostPages['pages'] = [people, send]
