import express from 'express'
import session from 'express-session'
import { randomBytes } from 'node:crypto'
import { announce } from './announce.mjs'
import { SqliteSessionStore } from './sqlite-session-store.mjs'
import { openDatabase, SELECT_USER, USER } from './users-table.mjs'

/* Express + express-session, set up as documented; sessions in SQLite or in memory. */

const [, , folder, where] = process.argv
const database = openDatabase(folder)
const user = database.prepare(SELECT_USER)

const app = express()
app.use(
  session({
    secret: randomBytes(32).toString('hex'),
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 2 * 60 * 60 * 1000 },
    ...(where === 'sqlite' && { store: new SqliteSessionStore(database) }),
  }),
)
app.post('/login', (request, response) => {
  request.session.userId = USER.id
  response.sendStatus(204)
})
app.get('/svc/api/user', (request, response) => {
  const found = user.get(request.session.userId ?? '')
  response.status(found === undefined ? 401 : 200).json(found ?? null)
})

const server = app.listen(0, () => announce({ port: server.address().port }))
