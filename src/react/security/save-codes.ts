import { NetworkError } from '../../client/client.ts'
import type { PanelSession } from '../../client/client.ts'
import type { Text } from '../texts.ts'

export interface SavedCodes {
  readonly codes: readonly string[]
  /** Name of the panel. */
  readonly panel: string
  readonly session: PanelSession
  readonly text: Text
}

/** Hands the codes to the browser as a text file: it says whose they are, and for what. */
export async function downloadCodes({ codes, panel, session, text }: SavedCodes): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  const { host, hostname } = location
  const email = await emailOf(session)
  const title =
    email === null ? text('ui.rc.list') : text('ui.rc.file', { email, panel, host, date })
  const lines = [title, '', ...codes, '']
  // Not in the document: nothing of it is an attribute that stays.
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([lines.join('\r\n')], { type: 'text/plain' }))
  link.download = `recovery-codes-${hostname}-${date}.txt`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** At the gate nobody has said yet who is here; by now it is open. */
async function emailOf(session: PanelSession): Promise<string | null> {
  const state = session.getState()
  if (state.state === 'ready') return state.user.email
  try {
    const answer = await session.call('user')
    return answer.outcome === 'ok' ? answer.body.email : null
  } catch (error) {
    if (error instanceof NetworkError) return null
    throw error
  }
}
