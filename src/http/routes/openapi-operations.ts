import type { JsonObject } from '../../contracts.ts'
import type { RouteName } from '../../rules/routes.ts'

/** The groups that the document sorts its operations into. */
export const tags = {
  session: 'Logging in and out, and the user of the session.',
  'two-factor': 'The second factor of the user.',
  email: 'Verification of the email address.',
  notifications: 'The notification bell.',
  document: 'The description of the API itself.',
} as const

/** What a reader of the document is told about an operation; its form follows from the route table and the schemas. */
export interface OperationText {
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly description: string
  /** What the success is. */
  readonly success: string
  /** Examples of the bodies; `null`: there is none. */
  readonly request: JsonObject | null
  readonly answer: JsonObject | null
}

const ENTRY_ID = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'
const NO_BODIES = { request: null, answer: null } as const

export const operationTexts: { readonly [Name in RouteName]: OperationText } = {
  csrf: {
    tag: 'session',
    summary: 'Fetch the CSRF token',
    description:
      'Sets the readable cookie XSRF-TOKEN, and a session cookie where none is presented. Send the token back in the header X-XSRF-TOKEN with every unsafe request.',
    success: 'The cookies are set. A request from a domain that is not listed gets none.',
    ...NO_BODIES,
  },
  login: {
    tag: 'session',
    summary: 'Log in with email and password',
    description:
      'Opens a session, or a login that waits for its code where the user has a second factor. Five failures in a minute lock the address and the network for the rest of it.',
    success: 'The password is right. `two_factor` says whether a code is still needed.',
    request: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answer: { two_factor: true, expires_in: 300, attempts_left: 5 },
  },
  'login.two-factor': {
    tag: 'session',
    summary: 'Finish a login with a code',
    description:
      'Takes a code of the second factor, or a recovery code, within five minutes of the password. The fifth incorrect code ends the login.',
    success: 'The session is open.',
    request: { code: '123456' },
    answer: null,
  },
  logout: {
    tag: 'session',
    summary: 'Log out',
    description: 'Ends the session, or the login that waits for its code. A guest may ask, too.',
    success: 'There is no session any more, and both cookies expire.',
    ...NO_BODIES,
  },
  user: {
    tag: 'session',
    summary: 'Show the user of the session',
    description: 'Answers who is logged in. The host may present other fields.',
    success: 'The user.',
    request: null,
    answer: {
      id: '7',
      name: 'Ada',
      email: 'ada@example.org',
      email_verified_at: '2026-11-20T09:30:00.000Z',
    },
  },
  'two-factor': {
    tag: 'two-factor',
    summary: 'Show the state of the second factor',
    description:
      'Answers whether it is enabled and required, whether a set-up waits for its first code, and whether recovery codes were never confirmed.',
    success: 'The state.',
    request: null,
    answer: { enabled: true, required: false, pending: false, codes_unseen: false },
  },
  'two-factor.setup': {
    tag: 'two-factor',
    summary: 'Start the set-up',
    description:
      'Answers a secret that waits ten minutes in the session. Asking again answers the same secret, unless `fresh` is true.',
    success: 'The secret, and an image of it for an authenticator app.',
    request: { fresh: true },
    answer: { secret: 'JBSWY3DPEHPK3PXP', qr_code: 'data:image/svg+xml;base64,PHN2Zy8+' },
  },
  'two-factor.confirm': {
    tag: 'two-factor',
    summary: 'Finish the set-up with the first code',
    description:
      'Enables the second factor and ends the other sessions of the user. The recovery codes are in this answer only.',
    success: 'It is enabled.',
    request: { code: '123456' },
    answer: { recovery_codes: ['k7dm2-9xqpt', 'w3hzr-5bnfc'] },
  },
  'two-factor.codes-seen': {
    tag: 'two-factor',
    summary: 'Confirm that the recovery codes are saved',
    description: 'Takes back `codes_unseen`, which is true from the moment the codes were issued.',
    success: 'It is remembered.',
    ...NO_BODIES,
  },
  'two-factor.disable': {
    tag: 'two-factor',
    summary: 'Turn the second factor off',
    description: 'Ends the other sessions of the user. Refused where the factor is required.',
    success: 'It is off, also when it was not enabled.',
    ...NO_BODIES,
  },
  'svc.email.send': {
    tag: 'email',
    summary: 'Send a verification link',
    description: 'Mails a signed link to the address of the user. `panel` names where it leads.',
    success: 'The link is on its way. `retry_after` says in how many seconds another may be sent.',
    request: { panel: 'main' },
    answer: { retry_after: 60 },
  },
  'svc.email.verify': {
    tag: 'email',
    summary: 'Open a verification link',
    description:
      'Verifies the address that the link was sent to. It needs no session and opens none. A browser is redirected when the link is invalid, too.',
    success: 'The address is verified. The redirect leads to the panel.',
    ...NO_BODIES,
  },
  notifications: {
    tag: 'notifications',
    summary: 'List the latest notifications',
    description: 'Answers the 20 latest entries, newest first. It does not keep the session alive.',
    success: 'The entries, and how many are unread of all.',
    request: null,
    answer: {
      data: [
        {
          id: ENTRY_ID,
          type: 'order.shipped',
          data: { title: 'Order 7 was shipped', body: null, url: '/orders/7' },
          read_at: null,
          created_at: '2026-11-20T09:30:00.000Z',
        },
      ],
      unread_count: 1,
    },
  },
  'notifications.unread-count': {
    tag: 'notifications',
    summary: 'Count the unread notifications',
    description: 'Counts all, not only the latest. It does not keep the session alive.',
    success: 'The count.',
    request: null,
    answer: { unread_count: 1 },
  },
  'notifications.read': {
    tag: 'notifications',
    summary: 'Mark a notification as read',
    description: 'Keeps the first time at which it was read.',
    success: 'How many are unread now.',
    request: null,
    answer: { unread_count: 0 },
  },
  'notifications.read-all': {
    tag: 'notifications',
    summary: 'Mark all notifications as read',
    description: 'Marks all that were sent before, not only the latest.',
    success: 'None is unread.',
    request: null,
    answer: { unread_count: 0 },
  },
  'notifications.stream': {
    tag: 'notifications',
    summary: 'Follow the bell',
    description:
      'Sends `unread` with the count at once and after every change, and `notification` with each new entry. It ends with the session.',
    success: 'A stream of server-sent events.',
    ...NO_BODIES,
  },
  openapi: {
    tag: 'document',
    summary: 'Describe the API',
    description: 'Answers this document.',
    success: 'The document.',
    request: null,
    answer: { openapi: '3.1.0' },
  },
}

/** What the parameters of an address stand for. */
export const parameterTexts: Readonly<Record<string, string>> = {
  id: 'The id of the entry, or of the user that a link was sent to.',
  hash: 'SHA-256 of the address that the link was sent to.',
  expires: 'When the link is over, in seconds since 1970.',
  signature: 'What proves that the service made the link.',
}
