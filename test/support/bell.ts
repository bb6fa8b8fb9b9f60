import { type BellData, type Notification } from '@svc/auth'
import { type FakeUser } from '@svc/auth/testing'
import type { Answer } from './browser.ts'
import { loggedIn } from './logins.ts'
import { startService, type Changes, type TestService } from './service.ts'

/** The part of an entry that says that it is unread. */
export const UNREAD = { read_at: null }

/** Makes a notification that goes to the bell only. */
export const bell = (data: BellData, type = 'note'): Notification<FakeUser> => ({
  type,
  via: () => ['database'],
  toDatabase: () => data,
})

/** Finds a user of the service. */
export async function userOf({ users }: TestService, id: string, tenant: string | null = null) {
  const user = await users.findById(id, tenant)
  if (user === null) throw new Error(`there is no user ${id}`)
  return user
}

/** Sends one entry to the bell of a user. */
export async function notify(
  service: TestService,
  title: string,
  { id = 'u1', body = null }: { readonly id?: string; readonly body?: string | null } = {},
): Promise<void> {
  await service.auth.notify(await userOf(service, id), bell({ title, body }))
}

/** Sends `count` entries to the bell of a user, with the titles "1", "2" and so on. */
export async function notifyMany(service: TestService, id: string, count = 1): Promise<void> {
  const user = await userOf(service, id)
  for (let sent = 1; sent <= count; sent += 1)
    await service.auth.notify(user, bell({ title: String(sent) }))
}

/** Returns the titles in the answer of the list. */
export const titlesIn = ({ json }: Answer): readonly string[] =>
  json.data.map(({ data }: { data: BellData }) => data.title)

/** Returns the ids in the answer of the list. */
export const idsIn = ({ json }: Answer): readonly string[] =>
  json.data.map(({ id }: { id: string }) => id)

/** Starts a service where U1 (`hers`) and U2 (`his`) are logged in and have that many entries. */
export async function withBells(hers: number, his: number, changes: Changes = {}) {
  const service = await startService(changes)
  await notifyMany(service, 'u1', hers)
  await notifyMany(service, 'u2', his)
  const una = await loggedIn(service, 'u1@x.test')
  const duo = await loggedIn(service, 'u2@x.test')
  return { ...service, una, duo }
}
