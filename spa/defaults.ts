import { createAuthClient, createPanelSession, openPanelChannel } from '../src/client/client.ts'
import type { LinkOutcome, PanelSession } from '../src/client/client.ts'

interface SessionOrigin {
  readonly panel: string
  readonly baseUrl?: string
  readonly link?: LinkOutcome | null
}

/** The session of a page that has made none itself, in step with the other tabs of the panel. */
export function ownSession({ panel, baseUrl = '', link = null }: SessionOrigin): PanelSession {
  const client = createAuthClient({ baseUrl })
  return createPanelSession({ client, channel: openPanelChannel(panel), panel, link })
}

/** The language that the page says it is in. */
export function pageLocale(): string {
  return document.documentElement.lang
}

/** @throws {Error} There is nothing to draw into. */
export function placeOf(element: Element | null, asker: string): Element {
  if (element instanceof Element) return element
  throw new Error(
    `${asker}: there is no element to draw into; give one that is on the page by now, ` +
      `such as document.querySelector('#panel')`,
  )
}
