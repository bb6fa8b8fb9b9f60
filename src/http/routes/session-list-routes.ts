import { endLoginsOf } from '../../core/login/end-logins.ts'
import { handleOf, type ListedSession } from '../../core/sessions/session-list.ts'
import type { SessionEntry } from '../../rules/routes/session-list-rows.ts'
import { clientOf } from '../wire/client-of.ts'
import { done, NOT_FOUND, succeed } from '../wire/respond.ts'
import type { Handlers } from './handler.ts'
import { mailsFor } from './password-routes.ts'
import type { Bound } from './route-parts.ts'

/** Creates the handlers of the list of sessions. They exist only while it is bound. */
export function createSessionListRoutes(parts: Bound<'sessionLayer'>) {
  const { sessionList, sessionLayer, users } = parts
  return {
    sessions: async ({ user, session }) => {
      const listed = await sessionList.activeOf(session.record, users.credential(user))
      const current = handleOf(session.key)
      const data = listed
        .map((one) => entryOf(one, current))
        .toSorted((one, other) => Number(other.current) - Number(one.current))
      return succeed('sessions', { data })
    },

    'sessions.end': async ({ request, session, params }) => {
      if (params.id === handleOf(session.key)) return { key: 'svc::auth.session_current' }
      const client = clientOf(parts, request)
      return (await sessionList.end(session.record, params.id, client)) ? done() : NOT_FOUND
    },

    'sessions.end-others': async ({ request, session }) => {
      await endLoginsOf(parts, session.record, clientOf(parts, request), session)
      return done()
    },

    'sessions.disown': async ({ request, tenant }, { token }) => {
      const client = clientOf(parts, request)
      const user = await (await sessionLayer()).disown({ ...client, token, tenant })
      if (user === null) return { key: 'svc::auth.session_link_invalid' }
      // Somebody who logged in knows the password.
      const passwords = await parts.passwordLayer?.()
      const panel = parts.panels[0] ?? ''
      passwords?.requestLink(
        { ...client, email: user.email, tenant, panel },
        mailsFor(parts, request).reset,
      )
      return done()
    },
  } satisfies Partial<Handlers>
}

function entryOf(
  { handle, createdAt, lastSeenAt, rememberedUntil, place }: ListedSession,
  current: string,
): SessionEntry {
  const { browser = null, system = null, network = null } = place ?? {}
  return {
    id: handle,
    current: handle === current,
    created_at: new Date(createdAt).toISOString(),
    last_seen_at: new Date(lastSeenAt).toISOString(),
    remembered_until: rememberedUntil === null ? null : new Date(rememberedUntil).toISOString(),
    browser,
    system,
    network,
  }
}
