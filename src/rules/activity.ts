/**
 * The events of the activity of a user, by the maximum number of entries that are kept of each. An
 * event displaces no other one, and strangers cause only `failed`, `password.forgot` and, with the
 * password, `two-factor.failed`: they fill at most half of the list without the password.
 */
export const activityEvents = {
  login: 20,
  'login.unknown-place': 5,
  'login.disowned': 5,
  failed: 5,
  logout: 5,
  'two-factor.failed': 5,
  'confirmation.failed': 5,
  'two-factor.enabled': 5,
  'two-factor.disabled': 5,
  'two-factor.device-added': 5,
  'two-factor.device-removed': 5,
  'password.changed': 5,
  'password.reset': 5,
  'password.forgot': 5,
  'user.invited': 5,
  'device.trusted': 5,
  'device.untrusted': 5,
  'impersonation.started': 5,
  'impersonation.ended': 5,
  verified: 5,
  'session.revoked': 5,
} as const satisfies Readonly<Record<string, number>>

/** The name of an event of the activity. */
export type ActivityEvent = keyof typeof activityEvents

/** The names of the events of the activity. */
export const ACTIVITY_EVENTS = Object.keys(activityEvents) as ActivityEvent[]

/** Returns whether the activity shows an event of this name. */
export function isActivityEvent(name: string): name is ActivityEvent {
  return Object.hasOwn(activityEvents, name)
}

/** The number of entries that a user sees. */
export const activity = { listed: 20 } as const
