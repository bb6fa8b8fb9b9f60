import type { Logger } from '../../contracts.ts'

/** Notes that an origin was refused because no entry of `session_auth.stateful` covers it. */
export type NoteRefusedOrigin = (origin: string) => void

// Enough for every front end that an administrator forgot to list, and too few for an attacker to fill a disk.
const MOST_LOGGED = 10
const MOST_CHARACTERS = 200

/** Makes a log of refused origins: each origin once, and the first ten of them only. */
export function createRefusedOriginLog(logger: Logger): NoteRefusedOrigin {
  const logged = new Set<string>()
  return (origin) => {
    const shown = shortened(origin)
    if (logged.size >= MOST_LOGGED || logged.has(shown)) return
    logged.add(shown)
    logger.warn(
      { origin: shown, setting: 'session_auth.stateful' },
      'refused a request from an origin that is not listed; if it is yours, add its host to session_auth.stateful',
    )
  }
}

/** Cuts what a stranger may have sent to the length of a long host name. */
export function shortened(origin: string): string {
  return origin.slice(0, MOST_CHARACTERS)
}
