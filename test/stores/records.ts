import type { Stores } from '@svc/auth'

export const record = {
  tenant: 'acme',
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 9,
  pendingSecret: null,
  details: null,
}

export const login = {
  tenant: null,
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  expiresAt: 9,
  details: null,
}

export const entry = {
  id: 'entry',
  type: 'type',
  title: 'title',
  body: null,
  url: '/',
  createdAt: 1,
}

const event = { event: 'login', at: 1, network: '203.0.113.x', browser: null, system: 'Linux' }

/** Stores a record of each kind, with a field that no store knows. */
export async function storeOneOfEach(stores: Stores): Promise<void> {
  const more = { password: 'not a field of anything' }
  const layered = { pendingSecret: 'sealed', details: '{}' }
  await stores.sessions.create('session key', { ...record, ...layered, ...more })
  await stores.pendingLogins.create('pending key', { ...login, ...more })
  await stores.attempts.reserve('attempt key', 1000, 0)
  await stores.notifications.add(record, { ...entry, ...more })
  await stores.activity?.add(record, { ...event, ...more }, 5)
}
