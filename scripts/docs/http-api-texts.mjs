// The texts in the tables of docs/http-api.md; numbers and names come from src/rules. A missing
// name
// stops the generator, so that every new limit or refusal is explained.

/** For each layer: what its routes need. */
export const layers = {
  'two-factor': 'second factor only',
  passwords: 'passwords only',
  confirmation: 'confirmation only',
  sessions: '`sessions.devices` only',
  'two-factor-devices': 'several devices only',
  impersonation: 'impersonation only',
  activity: 'activity only',
  remember: 'remembered sessions only',
  'trusted-devices': 'trusted devices only',
}

/** For each limit: what it counts, and the refusal beyond it unless it is `throttle`. */
export const limits = {
  'login.failed': ['failed logins of one email address, and of one user, from one network'],
  'login.failed.account': ['consecutive failed logins of one account from all unknown places'],
  'login.failed.place': ['consecutive failed logins of one account from one known place'],
  'two-factor.pending': [
    'incorrect codes of one pending login, which lives as long as the window',
    'svc::auth.two_factor_exhausted',
  ],
  'two-factor.network': ['incorrect codes of one user from one network or known browser'],
  'two-factor.user': ['incorrect codes of one user from all unknown places'],
  'two-factor.place': ['incorrect codes of one user from one known place'],
  'password.incorrect': ['consecutive incorrect current passwords of one user'],
  'password.incorrect.day': ['the same in a day'],
  'password.mail.email': [
    'requests for a link to one email address, known or not',
    '202, and no mail',
  ],
  'password.mail.network': ['requests for a link from one network', '202, and no mail'],
  'login.notice': [
    'logins at unknown places of which one user is informed',
    'no mail and no entry in the bell',
  ],
}

/** Limits of the specification; all others are added. */
export const specifiedLimits = new Set([
  'login.failed',
  'two-factor.pending',
  'login',
  'login.two-factor',
  'two-factor.confirm',
  'two-factor.disable',
  'svc.email.send',
])

/** For each size: what it measures, and the refusal beyond it. */
export const sizes = {
  bodyBytes: ['a body that the route uses', '413 `svc::auth.too_large`'],
  unusedBodyBytes: ['a body that the route does not use', '413 `svc::auth.too_large`'],
  acceptCharacters: ['`Accept-Language`, `Accept-Encoding`', 'the rest of the header is ignored'],
  forwardedCharacters: ['`X-Forwarded-For`', 'what stands before is ignored'],
  emailCharacters: ['`email`', '422 `svc::auth.invalid`'],
  passwordCharacters: ['`password`', '422 `svc::auth.invalid`'],
  codeCharacters: ['`code`', '422 `svc::auth.invalid`'],
  tokenCharacters: ['`token`', '422 `svc::auth.invalid`'],
  secretCharacters: [
    'what `newSecret` of the second factor returns',
    '503 `svc::auth.unavailable`',
  ],
  qrCodeCharacters: ['what `qrCode` of the second factor returns', '503 `svc::auth.unavailable`'],
  recoveryCodes: ['how many codes `enable` returns', '503 `svc::auth.unavailable`'],
  recoveryCodeCharacters: ['a recovery code', '503 `svc::auth.unavailable`'],
  twoFactorDevices: ['the devices of a user', '409 `svc::auth.two_factor_devices_full`'],
  deviceIdCharacters: ['the id of a device', '503 `svc::auth.unavailable`'],
  deviceNameCharacters: ['the `name` of a device', '422 `svc::auth.invalid`'],
  sessionsOfUser: [
    'the listed sessions of a user, and the trusted devices',
    'the login ends the session that was used least recently, or the oldest device',
  ],
  notificationUrlCharacters: ['the address of a notification', '`auth.notify` throws'],
}

/** Lifetimes and intervals that clients or hosts meet, with the option that changes them. */
export const times = {
  sessionIdleMinutes: ['A session ends after this time without a request.', 'session.idle'],
  sessionAbsoluteMinutes: ['A session ends at this age, whatever its use.', 'session.absolute'],
  sessionTouchSeconds: ['The last use of a session is written at most once in this time.', null],
  verificationMinutes: ['A verification link works for this time.', 'auth.verification.expire'],
  resetMinutes: ['A link to a new password works for this time.', null],
  disownMinutes: ['The link with which a user disowns a login works for this time.', null],
  firstLoginSeconds: ['A user is known to have logged in before for this time.', null],
  invitationMinutes: ['The link of an invitation works for this time.', null],
  pendingSecretMinutes: ['A secret of the set-up waits for its first code for this time.', null],
  knownPlaceSeconds: ['A place stays known after a completed login for this time.', null],
  codesUnseenSeconds: ['`codes_unseen` is remembered for this time.', null],
  streamCommentSeconds: ['A stream sends a comment, and is judged again, after this time.', null],
  deadlineSeconds: [
    'A store, the mailer or a method of the host that takes longer is an outage.',
    null,
  ],
  outageRetrySeconds: ['`Retry-After` of a 503.', null],
  clockSkewSeconds: ['A record from further in the future than this does not count.', null],
  clockSyncSeconds: ['A node compares its time with that of the stores after this time.', null],
}

export const streams = {
  perSession: ['streams of one session on one node', 'streams.per_session'],
  perUser: ['streams of one user on one node', 'streams.per_user'],
  perNode: ['streams of one node; a further one is 503', null],
  checksAtOnce: ['new streams of one node that are judged at the same time, and open ones', null],
  waitingPerSession: ['new streams of one session that wait; a further one is 503', null],
  waitSeconds: ['the seconds that a new stream waits for its turn before it is 503', null],
  retrySeconds: ['the bounds of the random `retry` of a stream, in seconds', null],
  replacedRetrySeconds: ['the `retry` of a stream that was replaced, in seconds', null],
}

/**
 * For each refusal: its condition, the members of its body besides `message`, `key` and `errors`,
 * and its fields if they vary.
 */
export const refusals = {
  'svc::auth.malformed': ['The body is not well-formed JSON in UTF-8, or has a key `__proto__`.'],
  'svc::auth.unauthenticated': [
    'No session. While a login is pending, the body says what is left of it.',
    'while pending: `two_factor`, `expires_in`, `attempts_left`, `email`',
  ],
  'svc::auth.origin_mismatch': ['An unsafe method from an origin that is not stateful.'],
  'svc::auth.email_verification_required': [
    'The email address of the user is not verified.',
    '`email_verification_required`, `email`',
  ],
  'svc::auth.two_factor_setup_required': [
    'The second factor is required and not enabled.',
    '`two_factor_setup_required`',
  ],
  'svc::auth.confirmation_required': [
    'The user has not confirmed the session within the time that the route demands.',
    '`confirmation_required`; `two_factor` if a code is accepted, too',
  ],
  'svc::auth.required_cannot_disable': ['The second factor is required, so it stays enabled.'],
  'svc::auth.verification_invalid': [
    'The verification link is altered, expired, or for an address that has changed. A browser is redirected instead.',
  ],
  'svc::auth.not_found': [
    'No such path; a route of a layer that is not bound; a notification, a session or a device that does not exist or belongs to another user; a device while the second factor is off.',
  ],
  'svc::auth.impersonated': [
    'Somebody acts as the user, and only the user may do this ("Impersonation").',
  ],
  'svc::auth.method_not_allowed': ['The path exists, but not with this method. See `Allow`.'],
  'svc::auth.session_current': ['The session to end is the current one. `logout` ends it.'],
  'svc::auth.two_factor_already_enabled': ['Setup or confirm while the second factor is enabled.'],
  'svc::auth.two_factor_devices_full': ['The user has five devices.'],
  'svc::auth.two_factor_last_device': ['The user has no other device.'],
  'svc::auth.too_large': ['The body is larger than the limit.'],
  'svc::auth.unsupported_media_type': [
    'The body is not `application/json`, or is compressed, or has another charset than UTF-8.',
  ],
  'svc::auth.csrf_mismatch': ['The CSRF token is missing, or belongs to another session id.'],
  'svc::auth.failed': ['Wrong password, unknown email address, or a user who is refused.'],
  'svc::auth.throttle': [
    'Too many failed logins, incorrect codes or incorrect current passwords.',
    '`retry_after`',
    '`email`; `code` at the code step, and before a device is added or removed; `current_password` at a change of the password; `password` or `code` at a confirmation',
  ],
  'svc::auth.invalid': [
    'A field is missing, has the wrong type or characters, or is too long; a new password is refused.',
    '–',
    'each field that is at fault',
  ],
  'svc::auth.two_factor_invalid': [
    'The code is incorrect: at the login, at a confirmation, while confirming a set-up, or before a device is added or removed.',
    'at the login: `attempts_left`',
  ],
  'svc::auth.two_factor_exhausted': [
    'The last code of a pending login is incorrect. Log in again.',
    '`attempts_left`, always 0',
  ],
  'svc::auth.two_factor_expired': ['There is no pending login, or its time has passed.'],
  'svc::auth.two_factor_setup_missing': ['No secret waits in this session, or it has expired.'],
  'svc::auth.password_incorrect': [
    'The current password is incorrect, or the user has none.',
    '–',
    '`current_password`; `password` at a confirmation',
  ],
  'svc::auth.password_link_invalid': [
    'The token is altered, expired, used, for an email address or a password that has changed, or for a user who is refused.',
  ],
  'svc::auth.session_link_invalid': [
    'The token is altered, expired, used, or for an email address or a password that has changed.',
  ],
  'svc::auth.too_many_requests': ['The request limit of the route is used up.', '`retry_after`'],
  'svc::auth.unavailable': [
    'A store, the mailer, the hashing process or a method of the host fails or does not answer.',
    '`retry_after`',
  ],
}
