import * as v from 'valibot'
import { StoreError } from '../../contracts/errors.ts'
import { withoutPrototype } from '../../contracts/own-properties.ts'
import type { SessionRecord } from '../../contracts/store-contracts.ts'

const place = v.object({
  browser: v.nullable(v.string()),
  system: v.nullable(v.string()),
  network: v.nullable(v.string()),
})

/**
 * The place of a login, as people see it: names from a table, and the shortened network. `null`:
 * unknown.
 */
export type SessionPlace = v.InferOutput<typeof place>

/** A newer release may keep more, so unknown fields stay. */
const schema = v.looseObject({
  /** The time at which the user last entered the password or a code in this session. */
  confirmedAt: v.optional(v.number()),
  /** Names how the host has checked the user; absent after a login of the service. */
  openedBy: v.optional(v.string()),
  /** The place at which the session was opened. */
  place: v.optional(place),
  /** The person who acts as the user; absent in the user's own session. */
  impersonator: v.optional(
    v.object({
      userId: v.string(),
      name: v.string(),
      /** The key of that person's session. No browser knows its id. */
      session: v.string(),
    }),
  ),
  /** The user wants to stay logged in, so that the session has the lifetime of a remembered one. */
  remembered: v.optional(v.boolean()),
  /** The session is kept for the way back of a person who acts as another user. */
  kept: v.optional(v.boolean()),
})

/** Details of a session, and of the login that opens it. Each layer has its own fields. */
export type SessionDetails = Readonly<v.InferOutput<typeof schema>>

const NONE: SessionDetails = withoutPrototype({})

/** The text that was parsed last: each gate of a request asks for the details of its session. */
let last: { readonly text: string; readonly details: SessionDetails } | null = null

/**
 * Returns the details of a session or pending login; empty when it has none.
 *
 * @throws {StoreError} The stored text is malformed.
 */
export function detailsOf({ details }: Pick<SessionRecord, 'details'>): SessionDetails {
  if (details === null) return NONE
  if (details === last?.text) return last.details
  try {
    const parsed = v.parse(schema, withoutPrototype(Object(JSON.parse(details)) as object))
    last = { text: details, details: withoutPrototype(parsed) }
    return last.details
  } catch (cause) {
    throw new StoreError('the store returned a session with malformed details', { cause })
  }
}

/** Returns the stored form of details; `null` when they are empty. */
export function storedDetails(details: SessionDetails): string | null {
  const text = JSON.stringify(details)
  return text === '{}' ? null : text
}
