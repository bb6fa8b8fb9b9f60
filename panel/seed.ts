import { randomUUID } from 'node:crypto'
import { hashPassword, type EpochMs, type NotificationStore } from '@svc/auth'
import type { NewPerson, Users } from './users.ts'

export const SEED_PASSWORD = 'correct horse battery staple'

/** Returns the reason why a new password is refused beside the rules of `svc`. */
export function refusalOfSeedPassword(password: string): string | null {
  return password === SEED_PASSWORD
    ? 'This password is in the documentation, so everybody knows it: choose another.'
    : null
}

interface ExamplePerson extends Omit<NewPerson, 'passwordHash'> {
  /** Description of the case that the user is an example of. */
  readonly is: string
}

/** The users of a fresh panel. */
export const people: readonly ExamplePerson[] = [
  { email: 'ada@example.com', name: 'Ada Lovelace', is: 'plain' },
  {
    email: 'bea@example.com',
    name: 'Bea Arthur',
    is: 'plain, 45 notifications of which 30 unread',
  },
  {
    email: 'eve@example.com',
    name: 'Eve Moneypenny',
    is: 'must verify her email',
    mustVerifyEmail: true,
  },
  {
    email: 'rex@example.com',
    name: 'Rex Harrison',
    is: 'second factor required, not set up',
    requireTwoFactor: true,
  },
]

/** Fills an empty users table. @returns `true` if this node did; of several nodes, one does. */
export async function seed(users: Users): Promise<boolean> {
  if ((await users.list()).length > 0) return false
  // One hash for all: that they have the same password is in the documentation.
  const passwordHash = await hashPassword(SEED_PASSWORD)
  const made: NewPerson[] = []
  for (const { is: _, ...person } of people) made.push({ ...person, passwordHash })
  return users.createAll(made)
}

const READ = 15
const UNREAD = 30
const BETWEEN_MS = 47 * 60 * 1000

/** Gives Bea the notifications of the last day and a half, the oldest of them read. */
export async function seedNotifications(
  notifications: NotificationStore,
  users: Users,
  now: EpochMs,
): Promise<void> {
  const bea = await users.findByEmail('bea@example.com')
  if (bea === null) return
  const owner = { tenant: null, userId: bea.id }
  // Writes to the store instead of calling `notify`: the notifications are older than this panel.
  for (let number = 1; number <= READ + UNREAD; number += 1) {
    const createdAt = now - (READ + UNREAD - number) * BETWEEN_MS
    await notifications.add(owner, { id: randomUUID(), createdAt, ...entry(number) })
    if (number === READ) await notifications.markAllRead(owner, READ, createdAt)
  }
}

function entry(number: number) {
  switch (number % 3) {
    case 0:
      return {
        type: 'order.placed',
        title: `Order ${1000 + number} was placed`,
        body: `${number} items, to be sent today.`,
        url: '/admin/main',
      }
    case 1:
      return { type: 'report.ready', title: `Report ${number} is ready`, body: null, url: null }
    default:
      return {
        type: 'stock.low',
        title: `Only ${number} of part ${700 + number} left`,
        body: 'Order more before the end of the week.',
        url: 'https://example.com/parts',
      }
  }
}
