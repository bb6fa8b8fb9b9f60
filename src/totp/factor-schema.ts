/** The name of the table of second factors. */
export const FACTOR_TABLE = 'svc_two_factor'

/** The databases for which the table can be created. */
export const factorDialects = ['sqlite', 'postgres', 'mysql'] as const
export type FactorDialect = (typeof factorDialects)[number]

/** The statement that creates the table, by database. */
export const factorSchema: Readonly<Record<FactorDialect, string>> = {
  sqlite: `CREATE TABLE IF NOT EXISTS ${FACTOR_TABLE} (
  user_id TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  recovery_codes TEXT NOT NULL,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
  postgres: `CREATE TABLE IF NOT EXISTS ${FACTOR_TABLE} (
  user_id TEXT COLLATE "C" PRIMARY KEY,
  secret TEXT NOT NULL,
  recovery_codes TEXT NOT NULL,
  last_step BIGINT NOT NULL
)`,
  mysql: `CREATE TABLE IF NOT EXISTS ${FACTOR_TABLE} (
  user_id VARBINARY(255) NOT NULL PRIMARY KEY,
  secret VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  recovery_codes VARCHAR(4000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  last_step BIGINT NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC`,
}

/** The statement that adds the column of devices to a table without it, by database. */
export const deviceSchema: Readonly<Record<FactorDialect, string>> = {
  sqlite: `ALTER TABLE ${FACTOR_TABLE} ADD COLUMN devices TEXT`,
  postgres: `ALTER TABLE ${FACTOR_TABLE} ADD COLUMN devices TEXT`,
  mysql: `ALTER TABLE ${FACTOR_TABLE} ADD COLUMN devices TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
}
