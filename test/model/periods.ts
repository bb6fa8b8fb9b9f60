import type { Person } from './state.ts'

export const MINUTE = 60_000
export const IDLE = 120 * MINUTE
export const ABSOLUTE = 24 * 60 * MINUTE
export const SECRET = 10 * MINUTE
export const LINK = 60 * MINUTE
export const CODES_UNSEEN = 90 * 24 * 60 * MINUTE
export const KNOWN_PLACE = 90 * 24 * 60 * MINUTE

/** Returns whether nobody has confirmed seeing the person's recovery codes. */
export function areCodesUnseen({ codesUnseenUntil }: Person, now: number): boolean {
  return codesUnseenUntil !== null && now < codesUnseenUntil
}
