import { Redis } from 'ioredis'
import { announce } from './announce.mjs'
import { serveUser } from './serve-user.mjs'
import { USER } from './users-table.mjs'

/* The limit of Redis: the cookie names the user, stored as JSON. */

const redis = new Redis(process.argv[3])
await redis.set(USER.id, JSON.stringify({ ...USER, email_verified_at: null }))

serveUser(async (id) => JSON.parse(await redis.get(id)), announce)
