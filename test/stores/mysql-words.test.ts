import { expect, it } from 'vitest'
import * as queries from '../../build/src/stores/mysql/queries.js'
import { mysqlMigrations, schemaTable } from '../../build/src/stores/mysql/tables.js'
import { deviceSchema, factorSchema } from '../../build/src/totp/factor-schema.js'

// The words that MySQL 8.4 to 9.6 reserve. The tests run on MariaDB, which does not reserve them.
// Source: dev.mysql.com, "Keywords and Reserved Words".
const RESERVED =
  `cube cume_dist dense_rank empty external first_value function generated get grouping groups
  json_table lag last_value lateral lead library manual nth_value ntile of optimizer_costs parallel percent_rank
  qualify rank row row_number stored system tablesample virtual`.split(/\s+/)

it('no statement for MySQL has an unquoted name that MySQL reserves', () => {
  const texts = [
    schemaTable,
    ...mysqlMigrations.flat(),
    factorSchema.mysql,
    deviceSchema.mysql,
    ...Object.values(queries.storeSql).flatMap(textsOf),
    ...textsOf(queries.notificationSql),
    ...textsOf(queries.messageSql),
  ]
  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter((text) => wordsOf(text).some((word) => RESERVED.includes(word)))).toEqual([])
})

function textsOf(group: object): readonly string[] {
  return Object.values(group).map((one: unknown) => {
    const { text }: { text: string } = typeof one === 'function' ? one(2) : one
    return text
  })
}

function wordsOf(sql: string): readonly string[] {
  const unquoted = sql.replaceAll(/`[^`]*`|'[^']*'/g, ' ').toLowerCase()
  return unquoted.match(/\w+/g) ?? []
}
