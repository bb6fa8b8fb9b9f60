import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import pg from 'pg'

/** Counts executions from now on: statements by verb and table, Redis commands by name. */
export function countStatements() {
  const counts = {}
  const count = (what) => (counts[what] = (counts[what] ?? 0) + 1)
  countSqlite(count)
  countPostgres(count)
  countRedis(count)
  return () => counts
}

function countSqlite(count) {
  const prepare = Reflect.get(Database.prototype, 'prepare')
  Database.prototype.prepare = function prepareCounted(sql) {
    const statement = prepare.call(this, sql)
    const what = nameOf(sql)
    for (const method of ['get', 'all', 'run']) {
      const execute = statement[method]
      statement[method] = (...values) => {
        count(what)
        return execute.apply(statement, values)
      }
    }
    return statement
  }
}

function countPostgres(count) {
  const query = Reflect.get(pg.Client.prototype, 'query')
  pg.Client.prototype.query = function queryCounted(asked, ...more) {
    count(nameOf(typeof asked === 'string' ? asked : asked.text))
    return query.call(this, asked, ...more)
  }
}

function countRedis(count) {
  const send = Reflect.get(Redis.prototype, 'sendCommand')
  Redis.prototype.sendCommand = function sendCounted(command, ...more) {
    count(`Redis ${command.name.toUpperCase()}`)
    return send.call(this, command, ...more)
  }
}

function nameOf(sql) {
  const [, verb] = /(\w+)/.exec(sql)
  // A query builder writes lower-case verbs and quotes names.
  const [, table = ''] = /\b(?:FROM|INTO|UPDATE)\s+["`]?(\w+)/i.exec(sql) ?? []
  return `${verb.toUpperCase()} ${table}`.trim()
}
