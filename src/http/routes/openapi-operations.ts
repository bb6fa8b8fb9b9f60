import type { JsonObject } from '../../contracts/host.ts'
import type { RouteName } from '../../rules/routes.ts'
import { headerNames, tokenCookie } from '../../rules/wire.ts'

/** The tags of the operations. */
export const tags = {
  session: 'Login, logout and the user of the session.',
  'two-factor': 'The second factor of the user.',
  email: 'Verification of the email address.',
  notifications: 'Notifications of the user.',
  document: 'The description of the API itself.',
} as const

/** The texts and examples of an operation. The route table and the schemas define the rest. */
export interface OperationText {
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly description: string
  /** Describes the success. */
  readonly success: string
  /** An example of the request body; `null`: the request has no body. */
  readonly request: JsonObject | null
  /** An example of the response body; `null`: the response has no JSON body. */
  readonly answer: JsonObject | null
}

const ENTRY_ID = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'
const NO_BODIES = { request: null, answer: null } as const

export const operationTexts: { readonly [Name in RouteName]: OperationText } = {
  csrf: {
    tag: 'session',
    summary: 'Fetch the CSRF token',
    description: `Sets the cookie ${tokenCookie}, which scripts can read, and a session cookie if the request has none. Send the token in the header ${headerNames.csrfToken} with every unsafe request.`,
    success: 'The cookies are set. A request from a domain that is not listed receives no cookies.',
    ...NO_BODIES,
  },
  login: {
    tag: 'session',
    summary: 'Log in with email and password',
    description:
      'Starts a session, or a login that waits for a code if the user has a second factor. Five failures in a minute block the email address from the same network for the rest of the minute.',
    success: 'The password is correct. `two_factor` tells whether a code is still required.',
    request: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answer: { two_factor: true, expires_in: 300, attempts_left: 5 },
  },
  'login.two-factor': {
    tag: 'session',
    summary: 'Finish a login with a code',
    description:
      'Accepts a code of the second factor or a recovery code within five minutes after the password. The fifth incorrect code ends the login.',
    success: 'The session has started.',
    request: { code: '123456' },
    answer: null,
  },
  logout: {
    tag: 'session',
    summary: 'Log out',
    description: 'Ends the session or the login that waits for its code. Succeeds for guests, too.',
    success: 'The session has ended, and both cookies expire.',
    ...NO_BODIES,
  },
  user: {
    tag: 'session',
    summary: 'Show the user of the session',
    description: 'Returns the user who is logged in. The host may define other fields.',
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
      'Returns whether the second factor is enabled and required, whether a set-up waits for its first code, and whether the recovery codes still have to be confirmed as saved.',
    success: 'The state of the second factor.',
    request: null,
    answer: { enabled: true, required: false, pending: false, codes_unseen: false },
  },
  'two-factor.setup': {
    tag: 'two-factor',
    summary: 'Start the set-up of the second factor',
    description:
      'Returns a secret that the session keeps for ten minutes. Another request returns the same secret unless `fresh` is true.',
    success: 'The secret, and its QR code for an authenticator app.',
    request: { fresh: true },
    answer: { secret: 'JBSWY3DPEHPK3PXP', qr_code: 'data:image/svg+xml;base64,PHN2Zy8+' },
  },
  'two-factor.confirm': {
    tag: 'two-factor',
    summary: 'Finish the set-up with the first code',
    description:
      'Enables the second factor and ends the other sessions of the user. Only this response contains the recovery codes.',
    success: 'The second factor is enabled.',
    request: { code: '123456' },
    answer: { recovery_codes: ['k7dm2-9xqpt', 'w3hzr-5bnfc'] },
  },
  'two-factor.codes-seen': {
    tag: 'two-factor',
    summary: 'Confirm that the recovery codes are saved',
    description:
      'Sets `codes_unseen` to false. It is true from the time at which the codes were issued.',
    success: 'The confirmation is stored.',
    ...NO_BODIES,
  },
  'two-factor.disable': {
    tag: 'two-factor',
    summary: 'Turn the second factor off',
    description: 'Ends the other sessions of the user. Refused if the second factor is required.',
    success: 'The second factor is off. It may have been off before.',
    ...NO_BODIES,
  },
  'svc.email.send': {
    tag: 'email',
    summary: 'Send a verification link',
    description: 'Sends a signed link to the email address of the user. The link leads to `panel`.',
    success:
      'The mailer has accepted the mail. Another one can be requested after `retry_after` seconds.',
    request: { panel: 'main' },
    answer: { retry_after: 60 },
  },
  'svc.email.verify': {
    tag: 'email',
    summary: 'Open a verification link',
    description:
      'Verifies the email address to which the link was sent. Requires no session and starts none. A browser is also redirected if the link is invalid.',
    success: 'The email address is verified. The redirect leads to the panel.',
    ...NO_BODIES,
  },
  notifications: {
    tag: 'notifications',
    summary: 'List the latest notifications',
    description:
      'Returns the 20 latest notifications, newest first. Does not keep the session alive.',
    success: 'The notifications, and the number of all unread ones.',
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
    description: 'Counts all notifications, not only the latest. Does not keep the session alive.',
    success: 'The number of unread notifications.',
    request: null,
    answer: { unread_count: 1 },
  },
  'notifications.read': {
    tag: 'notifications',
    summary: 'Mark a notification as read',
    description: 'Stores the time of the first request. Later requests do not change it.',
    success: 'The number of notifications that are still unread.',
    request: null,
    answer: { unread_count: 0 },
  },
  'notifications.read-all': {
    tag: 'notifications',
    summary: 'Mark all notifications as read',
    description: 'Marks all notifications that were sent before the request, not only the latest.',
    success: 'All notifications are read.',
    request: null,
    answer: { unread_count: 0 },
  },
  'notifications.stream': {
    tag: 'notifications',
    summary: 'Stream the notifications',
    description:
      'Sends the event `unread` with the number of unread notifications at once and after every change, and the event `notification` for each new one. Ends with the session.',
    success: 'A stream of server-sent events.',
    ...NO_BODIES,
  },
  openapi: {
    tag: 'document',
    summary: 'Describe the API',
    description: 'Returns this document.',
    success: 'The OpenAPI document.',
    request: null,
    answer: { openapi: '3.1.0' },
  },
}

/** Descriptions of the path and query parameters. */
export const parameterTexts: Readonly<Record<string, string>> = {
  id: 'The id of the notification, or of the user to whom the link was sent.',
  hash: 'The SHA-256 of the email address to which the link was sent.',
  expires: 'The expiry time of the link, in seconds since 1970.',
  signature: 'The signature of the service.',
}
