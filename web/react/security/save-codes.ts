import type { PanelSession } from '../../client/client.ts'
import type { Text } from '../texts/texts.ts'
import { call } from './second-factor.ts'

export interface CodesOwner {
  /** Name of the panel. */
  readonly panel: string
  readonly session: PanelSession
  readonly text: Text
}

/** The time in which every browser has read a file that it downloads. */
const READ_WITHIN_MS = 10_000

/** Returns the heading of saved codes: the account, the panel, its host and the date. */
export async function describeCodes({ panel, session, text }: CodesOwner): Promise<string> {
  const email = await emailOf(session)
  if (email === null) return text('ui.rc.list')
  return text('ui.rc.file', { email, panel, host: location.host, date: today() })
}

/** Downloads the codes as a text file. */
export function downloadCodes(codes: readonly string[], description: string): void {
  const lines = [description, '', ...codes, '']
  // The link never enters the document, so the codes do not stay in an attribute.
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([lines.join('\r\n')], { type: 'text/plain' }))
  link.download = `recovery-codes-${location.hostname}-${today()}.txt`
  link.click()
  // Safari on iOS reads it after the click: WebKit bug 211234.
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS)
}

/** Returns the date on the user's calendar. */
function today(): string {
  const now = new Date()
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** Returns the user's email. The gate's state lacks it, but the gate is open by now. */
async function emailOf(session: PanelSession): Promise<string | null> {
  const state = session.getState()
  if (state.state === 'ready') return state.user.email
  const answer = await call(session, 'user')
  return answer.outcome === 'ok' ? answer.body.email : null
}
