import type { AuthStrategy } from 'payload'
import { openPanel } from './auth'

/** Finds Payload's document for the user of the session, and creates it for a new user. */
export const userStrategy: AuthStrategy = {
  name: 'session',
  async authenticate({ headers, payload }) {
    const { auth } = await openPanel()
    const verdict = await auth.userFrom(headers)
    if (verdict.outcome !== 'admitted') return { user: null }
    const { email, name } = verdict.user
    const where = { email: { equals: email } }
    const { docs } = await payload.find({ collection: 'users', where, limit: 1 })
    const user = docs[0] ?? (await payload.create({ collection: 'users', data: { email, name } }))
    return { user: { ...user, collection: 'users' } }
  },
}
