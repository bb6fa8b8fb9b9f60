/**
 * Returns the condition that no policy USING (TRUE) admits a role to every row of a relation, or
 * that a restrictive one narrows that.
 *
 * @param commands The commands for which a policy admits, as `pg_policy` has them.
 */
function isNotAdmitted(commands: string, relation: string, role: string): string {
  return `(
    SELECT bool_or(polcmd IN (${commands}) AND pg_get_expr(polqual, polrelid) = 'true')
      AND bool_and(polpermissive)
    FROM pg_policy
    WHERE polrelid = ${relation} AND EXISTS (
      SELECT FROM unnest(polroles) AS one WHERE one = 0 OR pg_has_role(${role}, one, 'USAGE')
    )
  ) IS NOT TRUE`
}

/**
 * The texts around the name of a table in the condition that row level security may hide rows of it
 * from changes and reads. The CASE keeps the policies from being read where none applies.
 */
export const HIDES_ROWS = [
  `(SELECT CASE WHEN row_security_active(relation)
    THEN ${isNotAdmitted("'*'", 'relation::regclass', 'current_user')}
    ELSE FALSE END FROM (SELECT `,
  '::text AS relation) AS named)',
] as const

const CURRENT_ROLE = 'quote_ident(current_user)::regrole::oid'

/**
 * The same for reads of a table or a view, which reads its tables with the rights of its owner or,
 * as a `security_invoker`, of the current role. `row_security_active` tests the current role only,
 * so its conditions are repeated for the owner of a view.
 */
export const HIDES_FROM_READS = [
  `(WITH RECURSIVE reads AS (
    SELECT (`,
  `)::text::regclass::oid AS oid, ${CURRENT_ROLE} AS role
    UNION SELECT refobjid, CASE WHEN EXISTS (
      SELECT FROM pg_options_to_table(reloptions)
      WHERE option_name = 'security_invoker' AND option_value::boolean
    ) THEN ${CURRENT_ROLE} ELSE relowner END
    FROM reads JOIN pg_class USING (oid) JOIN pg_rewrite ON ev_class = pg_class.oid
      JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
    WHERE relkind = 'v' AND refclassid = 'pg_class'::regclass
  ) SELECT bool_or(relrowsecurity AND NOT (rolsuper OR rolbypassrls)
      AND (relforcerowsecurity OR NOT pg_has_role(role, relowner, 'USAGE'))
      AND ${isNotAdmitted("'*', 'r'", 'pg_class.oid', 'role')})
    FROM reads JOIN pg_class USING (oid) JOIN pg_roles ON pg_roles.oid = role)`,
] as const

/**
 * Reads whether rows of the table of the first parameter are hidden from reads. As a text: a host
 * may have given the driver another parser for booleans.
 */
export const ROW_SECURITY = `SELECT ${HIDES_FROM_READS.join('$1')}::text AS hiding, current_user AS role`
