import Database from 'better-sqlite3'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { ORIGIN } from '../../requests.mjs'
import { announce } from '../announce.mjs'

/* Better Auth on node:http, set up as documented; its own users and sessions. */

const [, , folder, url] = process.argv
const options = {
  baseURL: ORIGIN,
  secret: randomBytes(32).toString('hex'),
  database: url ? new pg.Pool({ connectionString: url, max: 10 }) : openSqlite(),
  emailAndPassword: { enabled: true },
  advanced: { useSecureCookies: false },
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)
const handler = toNodeHandler(auth)

const server = createServer((request, response) => {
  if (request.url === '/svc/api/user') void answerUser(request, response)
  else void handler(request, response)
})
server.listen(0, () => announce({ port: server.address().port }))

async function answerUser(request, response) {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  const body = JSON.stringify(session?.user ?? null)
  response.writeHead(session === null ? 401 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function openSqlite() {
  const database = new Database(join(folder, 'bench.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  return database
}
