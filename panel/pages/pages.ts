import type { HostPages } from '@svc/auth/client'
import { make } from './dom.ts'
import { people } from './people.ts'
import { send } from './send.ts'

// The policy of the page allows styles of this site's files, and none that are written into elements.
const styles = new URL('pages.css', import.meta.url).href
document.head.append(make('link', { rel: 'stylesheet', href: styles }))

/** The reference panel's own pages, in the order of the navigation; what `spa.pages` names. */
export const pages: HostPages['pages'] = [people, send]
