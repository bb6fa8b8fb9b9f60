import * as v from 'valibot'
import { body, instant, placeExample, placeFields, tokenEntry } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

/** A session of the user. */
const sessionEntry = v.strictObject({
  id: v.string(),
  current: v.boolean(),
  created_at: instant,
  last_seen_at: instant,
  remembered_until: v.nullable(instant),
  ...placeFields,
})
export type SessionEntry = v.InferOutput<typeof sessionEntry>

const ofSessions = { layer: 'sessions', tag: 'sessions' } as const

/** The routes of the list of sessions. */
export const sessionListRows = {
  sessions: {
    ...ofSessions,
    access: 'security',
    answer: v.strictObject({ data: v.array(sessionEntry) }),
    summary: 'List the sessions of the user',
    description:
      'Returns the sessions of the user, the current one first, then the most recently seen. A field is `null` if it is unknown. `remembered_until` is the end of a session of a user who stays logged in, and `null` for others.',
    success: 'The sessions.',
    answerExample: {
      data: [
        {
          id: '5f2c8e01a9d4',
          current: true,
          created_at: '2026-11-20T09:30:00.000Z',
          last_seen_at: '2026-11-20T10:05:00.000Z',
          remembered_until: '2026-12-20T09:30:00.000Z',
          ...placeExample,
        },
      ],
    },
  },
  'sessions.end': {
    ...ofSessions,
    access: 'security',
    summary: 'End another session of the user',
    description:
      'Ends the session with this id. The current session is refused: `logout` ends it. An unknown id and one of another user are the same 404.',
    success: 'The session has ended.',
  },
  'sessions.end-others': {
    ...ofSessions,
    access: 'security',
    summary: 'End all other sessions of the user',
    description: 'Ends every session of the user but this one, and logins that wait for a code.',
    success: 'The other sessions have ended.',
  },
  'sessions.disown': {
    ...ofSessions,
    access: 'guest',
    request: body({ token: tokenEntry }),
    summary: 'Disown a login with the token of a link',
    description:
      'Ends every session and pending login of the user who received the link, and sends a link to a new password where passwords are bound. A token works once.',
    success: 'Every session of the user has ended.',
    requestExample: {
      token:
        'disown.Nw.1795167000.9vJ3kQz0mA7wX2cYt5uRb8sLd1eFgHiKoPnTqUvWxYz.h2Gd8Kq0Zr5mBv1Xc7Nw3Jt9Ly4Ps6Ua0EfRiDoVgHb',
    },
  },
} satisfies Readonly<Record<string, WrittenRow>>
