import connectPgSimple from 'connect-pg-simple'
import express from 'express'
import session from 'express-session'
import { randomBytes } from 'node:crypto'
import { announce } from '../announce.mjs'
import { USER } from '../users-table.mjs'
import { openPeerDatabase } from './peer-database.mjs'
import { SqliteSessionStore } from './sqlite-session-store.mjs'

/* Express + express-session, set up as documented; sessions beside the users. */

const [, , folder, url] = process.argv
const { database, pool, findUser } = await openPeerDatabase(folder, url)
const PgStore = connectPgSimple(session)

const app = express()
app.use(
  session({
    secret: randomBytes(32).toString('hex'),
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 2 * 60 * 60 * 1000 },
    store: pool
      ? new PgStore({ pool, createTableIfMissing: true })
      : new SqliteSessionStore(database),
  }),
)
app.post('/login', (request, response) => {
  request.session.userId = USER.id
  response.sendStatus(204)
})
app.get('/svc/api/user', async (request, response) => {
  const found = await findUser(request.session.userId)
  response.status(found === undefined ? 401 : 200).json(found ?? null)
})

const server = app.listen(0, () => announce({ port: server.address().port }))
