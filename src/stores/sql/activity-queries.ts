/** Statements of the ActivityStore. */
export const activitySql = {
  add: `
    INSERT INTO svc_activity (owner, event, occurred_at, network, browser, system)
    VALUES (?, ?, ?, ?, ?, ?)`,
  /** Deletes the entries of an event that come after a number of latest ones. */
  trim: `
    DELETE FROM svc_activity
    WHERE owner = ? AND event = ? AND seq <= (
      SELECT seq FROM (
        SELECT seq FROM svc_activity WHERE owner = ? AND event = ?
        ORDER BY seq DESC LIMIT 1 OFFSET ?
      ) AS surplus
    )`,
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
