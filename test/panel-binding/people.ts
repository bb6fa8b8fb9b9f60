import { TOTP } from 'otpauth'
import type { TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, type FakeClock } from '@svc/auth/testing'
import type { Database } from '../../build/panel/database.js'
import { migratePeople } from '../../build/panel/schema.js'
import { totp } from '../../build/panel/totp.js'
import { createUsers, type Person, type Users } from '../../build/panel/users.js'
import { databases, type Kind } from './databases.ts'

export const KEY = 'a key of the panel that nobody knows'

/** A database of the panel with two people in it, and its second factor as two nodes have it. */
export interface TestPeople {
  /** The name of the file, or the address. */
  readonly address: string
  readonly database: Database
  readonly clock: FakeClock
  readonly users: Users
  readonly first: TwoFactorAuthenticator<Person>
  readonly second: TwoFactorAuthenticator<Person>
  readonly user: Person
  readonly otherUser: Person
  /** A binding with other keys, on the same database. */
  bind(...keys: readonly string[]): TwoFactorAuthenticator<Person>
  codeFor(secret: string): string
  advance(seconds: number): void
  /** Everything that is stored, as text. */
  stored(): Promise<string>
  close(): Promise<void>
}

/** Makes a database of its own. */
export async function somePeople(kind: Kind): Promise<TestPeople> {
  const { address, open, stored, remove } = await databases[kind]()
  const [one, other] = await Promise.all([open(), open()])
  await migratePeople(one)
  const clock = fakeClock()
  const users = createUsers(one)
  const bind = (database: Database, ...keys: readonly string[]) =>
    totp(database, {
      keys,
      issuer: 'Acme Panel',
      isRequired: (person) => person.twoFactorRequired === 1,
      clock,
    })
  return {
    address,
    database: one,
    clock,
    users,
    first: bind(one, KEY),
    second: bind(other, KEY),
    user: await users.create({ email: 'ada@x.test', name: 'Ada', passwordHash: '' }),
    otherUser: await users.create({ email: 'bea@x.test', name: 'Bea', passwordHash: '' }),
    bind: (...keys) => bind(other, ...keys),
    codeFor: (secret) => new TOTP({ secret }).generate({ timestamp: clock.now() }),
    advance: (seconds) => clock.advance({ seconds }),
    stored,
    async close() {
      await one.close()
      await other.close()
      remove()
    },
  }
}
