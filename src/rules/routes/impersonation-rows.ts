import type { WrittenRow } from './row.ts'

/** The route of the impersonation layer. */
export const impersonationRows = {
  'impersonation.end': {
    access: 'session',
    layer: 'impersonation',
    impersonated: true,
    cookies: 'SessionCookies',
    tag: 'session',
    summary: 'Go back to the own account',
    description:
      'Ends the session of a person who acts as another one, and opens one of the person again. Its lifetime is what is left of the session in which that began.',
    success: 'The session is of the person again.',
  },
} satisfies Readonly<Record<string, WrittenRow>>
