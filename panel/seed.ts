import { hashPassword } from '@svc/auth'
import type { Users } from './users.ts'

export const SEED_PASSWORD = 'correct horse battery staple'

/** The people of a fresh panel. */
export const people = [
  { email: 'ada@example.com', name: 'Ada Lovelace', mustVerifyEmail: false, is: 'plain' },
  { email: 'bea@example.com', name: 'Bea Arthur', mustVerifyEmail: false, is: 'plain' },
  {
    email: 'eve@example.com',
    name: 'Eve Moneypenny',
    mustVerifyEmail: true,
    is: 'must verify her email',
  },
  { email: 'rex@example.com', name: 'Rex Harrison', mustVerifyEmail: false, is: 'plain' },
] as const

/** Fills an empty users table. @returns whether it was empty. */
export async function seed(users: Users): Promise<boolean> {
  if (users.all().length > 0) return false
  for (const { email, name, mustVerifyEmail } of people) {
    await users.create({
      email,
      name,
      mustVerifyEmail,
      passwordHash: await hashPassword(SEED_PASSWORD),
    })
  }
  return true
}
