import Database from 'better-sqlite3'

/** Counts what is executed from now on, by the verb and the table of each statement. */
export function countStatements() {
  const counts = {}
  const prepare = Reflect.get(Database.prototype, 'prepare')
  Database.prototype.prepare = function prepareCounted(sql) {
    const statement = prepare.call(this, sql)
    const what = nameOf(sql)
    for (const method of ['get', 'all', 'run']) {
      const execute = statement[method]
      statement[method] = (...values) => {
        counts[what] = (counts[what] ?? 0) + 1
        return execute.apply(statement, values)
      }
    }
    return statement
  }
  return () => counts
}

function nameOf(sql) {
  const [, verb] = /(\w+)/.exec(sql)
  const [, table = ''] = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(sql) ?? []
  return `${verb} ${table}`
}
