/**
 * The events that the service emits, by the maximum number of entries that the activity of a user
 * keeps of each; `null`: it shows none. An event displaces no other one, and strangers cause only
 * `failed`, `password.forgot` and, with the password, `two-factor.failed`: without it they fill at
 * most half of the list. `PanelEvents` has the payloads.
 */
export const keptEntries = {
  attempting: null,
  login: 20,
  'login.unknown-place': 5,
  'login.disowned': 5,
  failed: 5,
  lockout: null,
  logout: 5,
  'two-factor.challenged': null,
  'two-factor.failed': 5,
  confirmed: null,
  'confirmation.failed': 5,
  'two-factor.enabled': 5,
  'two-factor.disabled': 5,
  'two-factor.device-added': 5,
  'two-factor.device-removed': 5,
  'verification.sent': null,
  verified: 5,
  'password.changed': 5,
  'password.reset': 5,
  'password.forgot': 5,
  'user.invited': 5,
  'impersonation.started': 5,
  'impersonation.ended': 5,
  'device.trusted': 5,
  'device.untrusted': 5,
  'notification.sent': null,
  'notification.read': null,
  'session.expired': null,
  'session.revoked': 5,
  'csrf.refused': null,
} as const

export type EventName = keyof typeof keptEntries

/** The names of the events. */
export const EVENT_NAMES = Object.keys(keptEntries) as EventName[]
