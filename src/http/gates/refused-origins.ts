import type { Logger } from '../../contracts/host.ts'
import { atMostEvery } from '../../process/at-most-every.ts'

/** Records that an origin was refused because no entry of `session_auth.stateful` covers it. */
export type NoteRefusedOrigin = (origin: string) => void

// Any client can send any origin. The limits leave room for the front ends that an operator forgot
// to list, and keep an attacker from filling the disk, or from hiding such a front end for longer
// than the forged origins come.
const MAX_LOGGED = 10
const FORGOTTEN_SECONDS = 3600
const MAX_CHARACTERS = 200

/** The `Origin` of a form whose page has `Referrer-Policy: no-referrer`, or is in a sandbox. */
export const HIDDEN_ORIGIN = 'null'

const UNLISTED =
  'refused a request from an origin that is not listed: set app.url (APP_URL) to the address of the panel; list the host of another front end in session_auth.stateful; if it is the address of this node, let the proxy pass on the Host of the browser'
const HIDDEN =
  'refused a request whose browser hides its origin: send pages with forms with Referrer-Policy: same-origin; helmet and others set no-referrer'

/** Creates a log of refused origins. It logs each origin once an hour, and only ten. */
export function createRefusedOriginLog(logger: Logger): NoteRefusedOrigin {
  const logged = new Set<string>()
  const forget = atMostEvery(FORGOTTEN_SECONDS, () => logged.clear())
  return (origin) => {
    forget()
    const shown = truncated(origin)
    if (logged.size >= MAX_LOGGED || logged.has(shown)) return
    logged.add(shown)
    if (shown === HIDDEN_ORIGIN) logger.warn({ origin: shown }, HIDDEN)
    else logger.warn({ origin: shown, setting: 'session_auth.stateful' }, UNLISTED)
  }
}

/** Truncates an origin, which any client may have sent, to the length of a long host name. */
export function truncated(origin: string): string {
  return origin.slice(0, MAX_CHARACTERS)
}
