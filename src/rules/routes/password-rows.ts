import type { MessageKey } from '../messages.ts'
import { body, emailEntry, panelEntry, passwordEntry, tokenEntry } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const forgotRequest = body({ email: emailEntry, panel: panelEntry })

const resetRequest = body({ token: tokenEntry, password: passwordEntry() })

const changeRequest = body({
  current_password: passwordEntry('svc::auth.field.current_password.required'),
  password: passwordEntry(),
})

/** The reasons why the policy refuses a new password. */
export const PASSWORD_REFUSALS = {
  short: 'svc::auth.field.password.short',
  repeated: 'svc::auth.field.password.repeated',
  personal: 'svc::auth.field.password.personal',
  common: 'svc::auth.field.password.common',
  refused: 'svc::auth.field.password.refused',
} as const satisfies Readonly<Record<string, MessageKey>>

const ofPasswords = { layer: 'passwords', tag: 'password' } as const

/** The routes of the passwords layer. */
export const passwordRows = {
  'password.change': {
    ...ofPasswords,
    access: 'security',
    request: changeRequest,
    cookies: 'SessionCookies',
    summary: 'Change the password',
    description:
      'Replaces the password of the user, ends the other sessions and gives this one a new id. The user is informed by mail.',
    success: 'The password is changed.',
    requestExample: {
      current_password: 'correct horse battery staple',
      password: 'seven green boats sail home',
    },
  },
  'password.forgot': {
    ...ofPasswords,
    access: 'guest',
    request: forgotRequest,
    status: 202,
    summary: 'Send a link for a new password',
    description:
      'Sends a link if the email address belongs to a user. The answer and its time are the same for every address. The link leads to `panel`.',
    success: 'The request is accepted, for an unknown address, too.',
    requestExample: { email: 'ada@example.org', panel: 'main' },
  },
  'password.reset': {
    ...ofPasswords,
    access: 'guest',
    request: resetRequest,
    summary: 'Choose a new password with the token of a link',
    description:
      'Replaces the password, and ends every session and pending login of the user. Opens no session. A token works once.',
    success: 'The password is replaced. Log in with it.',
    requestExample: {
      token:
        'reset.Nw.1795167000.9vJ3kQz0mA7wX2cYt5uRb8sLd1eFgHiKoPnTqUvWxYz.h2Gd8Kq0Zr5mBv1Xc7Nw3Jt9Ly4Ps6Ua0EfRiDoVgHb',
      password: 'seven green boats sail home',
    },
  },
} satisfies Readonly<Record<string, WrittenRow>>
