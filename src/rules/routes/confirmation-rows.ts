import * as v from 'valibot'
import { body, codeEntry, passwordEntry } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

/** The route of the confirmation layer. */
export const confirmationRows = {
  confirm: {
    access: 'session',
    // The request that needs the confirmation follows, and extends the session.
    passive: true,
    layer: 'confirmation',
    request: body({
      password: v.optional(passwordEntry()),
      code: v.optional(codeEntry.entries.code),
    }),
    tag: 'session',
    summary: 'Confirm that it is you',
    description:
      'Confirms the session with the password of its user, or with a code if the second factor is enabled. If both are given, only the password is checked. Failures are limited as those of a login, and counted apart.',
    success: 'The session is confirmed from now on. A route decides for how long that counts.',
    requestExample: { password: 'correct horse battery staple' },
  },
} satisfies Readonly<Record<string, WrittenRow>>
