import { createAuthClient, createPanelSession, openPanelChannel } from '../client/client.ts'
import type { LinkOutcome, PanelSession, PanelSessionOptions } from '../client/client.ts'

/** The settings of a panel that its session has. */
export type SessionSetting = 'passwords' | 'sessions' | 'activity' | 'rememberDays' | 'trustDays'

interface SessionOrigin extends Pick<PanelSessionOptions, SessionSetting> {
  readonly panel: string
  readonly baseUrl?: string
  readonly link?: LinkOutcome | null
  /** Language of the service's messages. Default: those of the browser. */
  readonly locale?: string | undefined
}

/** Creates a session for a page that has none, connected with the other tabs of the panel. */
export function ownSession({ panel, baseUrl = '', locale, ...page }: SessionOrigin): PanelSession {
  const client = createAuthClient({ baseUrl, ...(locale !== undefined && { locale }) })
  return createPanelSession({ client, channel: openPanelChannel(panel), panel, ...page })
}

/** Returns the language of the document. */
export function pageLocale(): string {
  return document.documentElement.lang
}

/** Checks the element to render into. @throws {Error} There is no element. */
export function requireElement(element: Element | null, caller: string): Element {
  if (element instanceof Element) return element
  throw new Error(`${caller}: there is no element to render into; pass one that is on the page`)
}
