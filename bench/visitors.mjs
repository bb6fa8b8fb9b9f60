import { people, SEED_PASSWORD } from '../build/panel/seed.js'
import { ORIGIN } from './requests.mjs'
import { USER } from './servers/users-table.mjs'

const named = async () => ({ cookie: `session=${USER.id}`, guest: null })

/** Logs in without credentials, because only the reads are measured. */
async function simple(port) {
  return { ...cookiesOf(await send(port, 'POST', '/login')), guest: null }
}

/**
 * Credentials for each server: the cookies of a logged-in user, and a guest's cookies with the
 * token for logins. The parent obtains them, so that no server holds an HTTP client's memory.
 */
export const visit = {
  'limit.mjs': named,
  'limit-postgres.mjs': named,
  'limit-redis.mjs': named,

  async 'svc.mjs'(port) {
    const { guest, user } = await logIn(port)
    return { cookie: user.cookie, guest }
  },

  'svc-telemetry.mjs': async (port) => visit['svc.mjs'](port),

  'peers/express-session.mjs': simple,
  'peers/fastify-session.mjs': simple,
  'peers/fastify-secure-session.mjs': simple,
  'peers/hono-iron-session.mjs': simple,

  async 'peers/better-auth.mjs'(port) {
    const account = { ...USER, password: SEED_PASSWORD }
    const signedUp = await send(port, 'POST', '/api/auth/sign-up/email', {}, account)
    return { ...cookiesOf(signedUp), guest: null }
  },
}

/** Logs in to the panel, as its first user by default. @returns the cookies before and after. */
export async function logIn(port, login = { email: people[0].email, password: SEED_PASSWORD }) {
  const guest = cookiesOf(await send(port, 'GET', '/svc/api/csrf-cookie'))
  return { guest, user: cookiesOf(await send(port, 'POST', '/svc/api/login', guest, login)) }
}

export async function send(
  port,
  method,
  path,
  { cookie = '', token = '' } = {},
  body,
  { anyStatus = false } = {},
) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      host: new URL(ORIGIN).host,
      referer: `${ORIGIN}/admin/main`,
      origin: ORIGIN,
      ...(body && { 'content-type': 'application/json' }),
      cookie,
      'x-xsrf-token': token,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok && !anyStatus) throw new Error(`${method} ${path} answered ${reply.status}`)
  return reply
}

export function cookiesOf(reply) {
  const pairs = reply.headers.getSetCookie().map((line) => line.split(';')[0])
  const token = pairs.find((pair) => pair.startsWith('XSRF-TOKEN='))?.split('=')[1]
  return { cookie: pairs.join('; '), token }
}
