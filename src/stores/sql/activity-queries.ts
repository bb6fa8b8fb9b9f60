/** Selects the first of the entries of an event that come after a number of latest ones. */
export const SURPLUS = `
      SELECT seq FROM svc_activity WHERE owner = ? AND event = ?
      ORDER BY seq DESC LIMIT 1 OFFSET ?`

/** Returns the statement that deletes the entries of an event from the selected one on. */
export function trim(surplus: string): string {
  return `
    DELETE FROM svc_activity
    WHERE owner = ? AND event = ? AND seq <= (${surplus}
    )`
}

/** Statements of the ActivityStore, in the SQL that SQLite and PostgreSQL share. */
export const activitySql = {
  add: `
    INSERT INTO svc_activity (owner, event, occurred_at, network, browser, system)
    VALUES (?, ?, ?, ?, ?, ?)`,
  trim: trim(SURPLUS),
  latest: `
    SELECT event, occurred_at AS "at", network, browser, system
    FROM svc_activity WHERE owner = ?
    ORDER BY seq DESC LIMIT ?`,
  deleteOlder: `
    DELETE FROM svc_activity
    WHERE seq IN (
      SELECT seq FROM svc_activity WHERE occurred_at < ? ORDER BY occurred_at LIMIT ?
    )`,
  deleteOf: `
    DELETE FROM svc_activity WHERE owner = ?`,
} as const
