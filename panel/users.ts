import { randomUUID } from 'node:crypto'
import type { NewUser } from '@svc/auth'
import type { TableUsers, UserWith } from '@svc/auth/users'
import type { Database } from './database.ts'
import type { Language } from './languages.ts'

/** A user of the panel. A flag is 0 or 1; the language is that of the last login. */
export type Person = UserWith<'mustVerifyEmail' | 'twoFactorRequired' | 'language'>

/** A user to be created. */
export interface NewPerson extends NewUser {
  readonly mustVerifyEmail?: boolean
}

/** The users of the panel, for the service and for the command `svc`. */
export interface Users extends TableUsers<Person> {
  create(person: NewPerson): Promise<Person>
  /**
   * Creates users in one statement, and leaves out those whose email exists.
   *
   * @returns `false` if all of them exist, created by another node for example.
   */
  createAll(people: readonly NewPerson[]): Promise<boolean>
  /** Keeps the language in which the user is written to. */
  keepLanguage(id: string, language: Language): Promise<void>
}

/** Reads the users from the panel's own table. */
export function createUsers({ tables, users }: Database): Users {
  const provider = users({
    table: 'people',
    columns: {
      id: 'id',
      email: 'email',
      name: 'name',
      passwordHash: 'password_hash',
      emailVerifiedAt: 'email_verified_at',
    },
    otherColumns: {
      mustVerifyEmail: 'must_verify_email',
      twoFactorRequired: 'two_factor_required',
      language: 'language',
    },
    mustVerify: ({ mustVerifyEmail }) => mustVerifyEmail === 1,
    timestamp: (now) => now.toISOString(),
    newRow: flagsOf,
  })
  return {
    ...provider,
    async createAll(people) {
      const rows = people.map(({ email, name, passwordHash, ...flags }) => {
        return { email, name, password_hash: passwordHash, ...flagsOf(flags) }
      })
      const { numInsertedOrUpdatedRows: created = 0n } = await tables
        .insertInto('people')
        .values(rows)
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirstOrThrow()
      return created > 0n
    },
    async keepLanguage(id, language) {
      await tables.updateTable('people').set({ language }).where('id', '=', id).execute()
    },
  }
}

/** Returns the columns of a new user that only this panel has. */
function flagsOf(person: Pick<NewPerson, 'mustVerifyEmail' | 'requireTwoFactor'>) {
  const { mustVerifyEmail = false, requireTwoFactor = false } = person
  return {
    id: randomUUID(),
    must_verify_email: mustVerifyEmail ? 1 : 0,
    two_factor_required: requireTwoFactor ? 1 : 0,
  } as const
}
