import type { PendingLogin, SessionRecord } from '../../contracts/store-contracts.ts'

/** Returns the values of a session in the order of its `create`, after the key. */
export function sessionRow(record: SessionRecord) {
  const { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret, details } = record
  const times = [createdAt, lastSeenAt, expiresAt] as const
  return [tenant, userId, stamp, ...times, pendingSecret, details] as const
}

/** Returns the values of a pending login in the order of its `create`, after the key. */
export function loginRow({ tenant, userId, stamp, createdAt, expiresAt, details }: PendingLogin) {
  return [tenant, userId, stamp, createdAt, expiresAt, details] as const
}
