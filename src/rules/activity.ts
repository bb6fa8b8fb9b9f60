import { EVENT_NAMES, keptEntries, type EventName } from './event-names.ts'

/** The name of an event of the activity. */
export type ActivityEvent = {
  [Name in EventName]: (typeof keptEntries)[Name] extends number ? Name : never
}[EventName]

/** The names of the events of the activity. */
export const ACTIVITY_EVENTS = EVENT_NAMES.filter(isActivityEvent)

/** Returns whether the activity shows an event of this name. */
export function isActivityEvent(name: string): name is ActivityEvent {
  return Object.hasOwn(keptEntries, name) && keptEntries[name as EventName] !== null
}

/** The number of entries that a user sees. */
export const activity = { listed: 20 } as const
