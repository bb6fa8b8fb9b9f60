import * as v from 'valibot'
import { body, count, panelEntry } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

/** The routes that send a verification mail and open its link. */
export const emailRows = {
  'svc.email.send': {
    access: 'session',
    request: v.optional(body({ panel: panelEntry })),
    status: 202,
    answer: v.strictObject({ retry_after: count }),
    tag: 'email',
    summary: 'Send a verification link',
    description: 'Sends a signed link to the email address of the user. The link leads to `panel`.',
    success:
      'The mailer has accepted the mail. Another one can be requested after `retry_after` seconds.',
    requestExample: { panel: 'main' },
    answerExample: { retry_after: 60 },
  },
  'svc.email.verify': {
    access: 'guest',
    stateless: true,
    status: 302,
    query: ['expires', 'signature'],
    tag: 'email',
    summary: 'Open a verification link',
    description:
      'Verifies the email address to which the link was sent. Requires no session and starts none. A browser is also redirected if the link is invalid.',
    success: 'The email address is verified. The redirect leads to the panel.',
  },
} satisfies Readonly<Record<string, WrittenRow>>
