import type { PanelSession } from '../../client/client.ts'
import { call } from './second-factor.ts'
import { useEndable } from './use-endable.ts'

/** Provides the list of sessions, and ends them. */
export function useSessions() {
  const { end, ...sessions } = useEndable(listSessions)
  return {
    ...sessions,
    end: async (id: string) =>
      end(id, 'ui.sessions.ended', async (by) => call(by, 'sessions.end', null, { id })),
    endOthers: async () =>
      end('others', 'ui.sessions.others_ended', async (by) => call(by, 'sessions.end-others')),
  }
}

async function listSessions(session: PanelSession) {
  return call(session, 'sessions')
}
