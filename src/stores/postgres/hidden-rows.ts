/**
 * Returns the texts around the name of a table in the condition that row level security may hide
 * rows of it: it applies to the role, and no policy USING (TRUE) admits it to every row, or a
 * restrictive one narrows that. The CASE keeps the policies from being read where none applies.
 *
 * @param commands The commands for which a policy admits to every row, as `pg_policy` has them.
 */
function hidingRows(commands: "'*'" | "'*', 'r'"): readonly [before: string, after: string] {
  return [
    `(SELECT CASE WHEN row_security_active(relation) THEN (
    SELECT bool_or(polcmd IN (${commands}) AND pg_get_expr(polqual, polrelid) = 'true')
      AND bool_and(polpermissive)
    FROM pg_policy
    WHERE polrelid = relation::regclass AND EXISTS (
      SELECT FROM unnest(polroles) AS role WHERE role = 0 OR pg_has_role(role, 'USAGE')
    )
  ) IS NOT TRUE ELSE FALSE END FROM (SELECT `,
    '::text AS relation) AS named)',
  ]
}

/** The condition for rows that are read and changed. */
export const HIDES_ROWS = hidingRows("'*'")

/** The condition for rows that are read. */
export const HIDES_FROM_READS = hidingRows("'*', 'r'")

/**
 * Reads whether rows of the table of the first parameter are hidden from reads. As a text: a host
 * may have given the driver another parser for booleans.
 */
export const ROW_SECURITY = `SELECT ${HIDES_FROM_READS.join('$1')}::text AS hiding, current_user AS role`
