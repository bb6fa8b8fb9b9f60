import { ConfigError } from '../../contracts/errors.ts'
import type { MysqlClient } from './lent-connection.ts'
import { run, statement } from './run.ts'

// The names of some variables differ between the servers, so that they cannot be selected.
const read = statement(
  `SHOW SESSION VARIABLES WHERE Variable_name IN
    ('autocommit', 'binlog_format', 'log_bin', 'sql_mode')`,
)

/**
 * Checks the settings of a connection that the statements rely on.
 *
 * @throws {ConfigError} A setting would lose or change what is stored.
 */
export async function ensureSettings(client: Pick<MysqlClient, 'execute'>): Promise<void> {
  const { rows } = await run<Variable>(client, read, [])
  const settings = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  const fault = faultOf(settings)
  if (fault !== null) throw new ConfigError(`stores: the connections to MySQL ${fault}`)
}

interface Variable {
  readonly Variable_name: string
  readonly Value: string
}

function faultOf(settings: ReadonlyMap<string, string>): string | null {
  const modes = new Set(settings.get('sql_mode')?.split(','))
  if (!modes.has('STRICT_TRANS_TABLES') && !modes.has('STRICT_ALL_TABLES')) {
    return 'have a sql_mode without STRICT_TRANS_TABLES, so the server would shorten texts silently; add it to the sql_mode of the server or of the pool'
  }
  if (modes.has('EMPTY_STRING_IS_NULL')) {
    return 'have EMPTY_STRING_IS_NULL in their sql_mode, which makes different tenants equal; remove it'
  }
  if (settings.get('autocommit') !== 'ON') {
    return 'have autocommit off, so nothing would be stored; turn it on'
  }
  if (settings.get('log_bin') === 'ON' && settings.get('binlog_format') === 'STATEMENT') {
    return 'have binlog_format STATEMENT, which cannot log READ COMMITTED; set it to ROW or MIXED'
  }
  return null
}
