import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { getIronSession } from 'iron-session'
import { randomBytes } from 'node:crypto'
import { announce } from '../announce.mjs'
import { USER } from '../users-table.mjs'
import { openPeerDatabase } from './peer-database.mjs'

/* Hono + iron-session: the session is a sealed cookie, which nobody can end. */

const [, , folder, url] = process.argv
const { findUser } = await openPeerDatabase(folder, url)
const options = { cookieName: 'session', password: randomBytes(32).toString('hex') }

const app = new Hono()
app.post('/login', async (context) => {
  const session = await sessionOf(context)
  session.userId = USER.id
  await session.save()
  return context.body(null, 204)
})
app.get('/svc/api/user', async (context) => {
  const session = await sessionOf(context)
  const found = await findUser(session.userId)
  return context.json(found ?? null, found === undefined ? 401 : 200)
})

serve({ fetch: app.fetch, port: 0 }, ({ port }) => announce({ port }))

async function sessionOf(context) {
  const cookies = {
    get(name) {
      const value = getCookie(context, name)
      return value === undefined ? undefined : { name, value }
    },
    set: (name, value, cookie) => setCookie(context, name, value, cookie),
  }
  return getIronSession(cookies, options)
}
