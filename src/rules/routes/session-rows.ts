import * as v from 'valibot'
import { headerNames, tokenCookie } from '../wire.ts'
import {
  body,
  choice,
  codeEntry,
  emailEntry,
  instant,
  integer,
  passwordEntry,
} from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const credentials = body({
  email: emailEntry,
  password: passwordEntry(),
})

const rememberedCredentials = body({ ...credentials.entries, remember: choice })
const codeOfTrustedDevice = body({ ...codeEntry.entries, trust_device: choice })

const loginAnswer = v.union([
  v.strictObject({ two_factor: v.literal(false) }),
  v.strictObject({ two_factor: v.literal(true), expires_in: integer, attempts_left: integer }),
])

/** The body of `GET /user`, unless the host presents its users differently. */
const user = v.looseObject({
  id: v.string(),
  name: v.nullable(v.string()),
  email: v.string(),
  email_verified_at: v.nullable(instant),
  /** Only in a session of somebody who acts as this user. */
  impersonated_by: v.optional(v.strictObject({ name: v.string() })),
})

export type UserBody = v.InferOutput<typeof user>

/** The routes that open and close sessions. */
export const sessionRows = {
  csrf: {
    access: 'guest',
    cookies: 'SessionCookies',
    tag: 'session',
    summary: 'Fetch the CSRF token',
    description: `Sets the cookie ${tokenCookie}, which scripts can read, and a session cookie if the request has none. Send the token in the header ${headerNames.csrfToken} with every unsafe request.`,
    success: 'The cookies are set. A request from a domain that is not listed receives no cookies.',
  },
  login: {
    access: 'guest',
    request: credentials,
    requestWith: { layer: 'remember', request: rememberedCredentials },
    answer: loginAnswer,
    cookies: 'LoginCookies',
    tag: 'session',
    summary: 'Log in with email and password',
    description:
      'Starts a session, or a login that waits for a code if the user has a second factor. Five failures in a minute block the email address from the same network for the rest of the minute.',
    success: 'The password is correct. `two_factor` tells whether a code is still required.',
    requestExample: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answerExample: { two_factor: true, expires_in: 300, attempts_left: 5 },
  },
  'login.two-factor': {
    access: 'guest',
    layer: 'two-factor',
    request: codeEntry,
    requestWith: { layer: 'trusted-devices', request: codeOfTrustedDevice },
    cookies: 'LoginCookies',
    tag: 'session',
    summary: 'Finish a login with a code',
    description:
      'Accepts a code of the second factor or a recovery code within five minutes after the password. The fifth incorrect code ends the login.',
    success: 'The session has started.',
    requestExample: { code: '123456' },
  },
  logout: {
    access: 'guest',
    cookies: 'ExpiredCookies',
    tag: 'session',
    summary: 'Log out',
    description: 'Ends the session or the login that waits for its code. Succeeds for guests, too.',
    success: 'The session has ended, and both cookies expire.',
  },
  user: {
    access: 'panel',
    answer: user,
    tag: 'session',
    summary: 'Show the user of the session',
    description: 'Returns the user who is logged in. The host may define other fields.',
    success: 'The user.',
    answerExample: {
      id: '7',
      name: 'Ada',
      email: 'ada@example.org',
      email_verified_at: '2026-11-20T09:30:00.000Z',
    },
  },
} satisfies Readonly<Record<string, WrittenRow>>
