import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { TOTP } from 'otpauth'
import type { TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, type FakeClock } from '@svc/auth/testing'
import { totp } from '../../dist/panel/totp.js'
import { Users, type Person } from '../../dist/panel/users.js'

export const KEY = 'a key of the panel that nobody knows'

/** A file of the panel with two people in it, and its second factor as two nodes have it. */
export interface TestPeople {
  readonly file: string
  readonly database: Database.Database
  readonly clock: FakeClock
  readonly users: Users
  readonly first: TwoFactorAuthenticator<Person>
  readonly second: TwoFactorAuthenticator<Person>
  readonly user: Person
  readonly otherUser: Person
  /** A binding with other keys, on the same file. */
  bind(...keys: readonly string[]): TwoFactorAuthenticator<Person>
  codeFor(secret: string): string
  advance(seconds: number): void
  close(): void
}

/** Makes a file of its own. */
export async function somePeople(): Promise<TestPeople> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-totp-'))
  const file = join(folder, 'panel.sqlite')
  const [one, other] = [new Database(file), new Database(file)]
  // No test pulls the plug: waiting for the disk would only make them slow.
  for (const database of [one, other]) database.pragma('synchronous = OFF')
  const clock = fakeClock()
  const users = new Users(one)
  const bind = (database: Database.Database, ...keys: readonly string[]) =>
    totp(database, {
      keys,
      issuer: 'Acme Panel',
      isRequired: (person) => person.twoFactorRequired,
      clock,
    })
  return {
    file,
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
    close() {
      one.close()
      other.close()
      rmSync(folder, { recursive: true })
    },
  }
}
