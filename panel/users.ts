import { randomUUID } from 'node:crypto'
import type { MustVerifyEmail, NewUser, UserProvider } from '@svc/auth'
import type { Database, Step } from './database.ts'

/** A user of the panel, as stored in its own table. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly emailVerifiedAt: string | null
  readonly twoFactorRequired: boolean
}

interface Row extends Omit<Person, 'twoFactorRequired'> {
  readonly mustVerifyEmail: 0 | 1
  readonly twoFactorRequired: 0 | 1
}

/** A user to be created. */
export interface NewPerson extends NewUser {
  readonly mustVerifyEmail: boolean
  readonly twoFactorRequired: boolean
}

const COLUMNS = `id, email, name, password_hash AS "passwordHash", email_verified_at AS "emailVerifiedAt",
  must_verify_email AS "mustVerifyEmail", two_factor_required AS "twoFactorRequired"`

const INSERT = `
  INSERT INTO people (id, email, name, password_hash, must_verify_email, two_factor_required)
  VALUES (?, ?, ?, ?, ?, ?)`

/** The panel's users table: the host's part, behind the service's contract. */
export class Users implements UserProvider<Person> {
  readonly #database: Database
  readonly #byId: (id: string) => Promise<Person | null>
  readonly #byEmail: (email: string) => Promise<Person | null>
  readonly #all: () => Promise<readonly Person[]>
  readonly #insert: (...row: NewRow) => Promise<number>
  readonly #setPassword: (to: string, id: string) => Promise<number>
  readonly #remove: (id: string) => Promise<number>
  readonly #rehash: (to: string, id: string, from: string) => Promise<number>
  readonly #verify: (at: string, id: string, email: string) => Promise<number>

  /** Prepares the statements. @param database A database whose tables are migrated. */
  constructor(database: Database) {
    const personOf = (row: Row): Person => this.#personOf(row)
    this.#database = database
    this.#byId = database.one(`SELECT ${COLUMNS} FROM people WHERE id = ?`, personOf)
    this.#byEmail = database.one(`SELECT ${COLUMNS} FROM people WHERE email = ?`, personOf)
    this.#all = database.all(`SELECT ${COLUMNS} FROM people ORDER BY email`, personOf)
    this.#insert = database.change(INSERT)
    this.#setPassword = database.change('UPDATE people SET password_hash = ? WHERE id = ?')
    this.#remove = database.change('DELETE FROM people WHERE id = ?')
    this.#rehash = database.change(
      'UPDATE people SET password_hash = ? WHERE id = ? AND password_hash = ?',
    )
    this.#verify = database.change(
      'UPDATE people SET email_verified_at = ? WHERE id = ? AND email = ? AND email_verified_at IS NULL',
    )
  }

  /** Finds a user. Not `async`, so that the guard of a request can use a synchronous result. */
  findById(id: string): Promise<Person | null> {
    return this.#byId(id)
  }

  findByEmail(email: string): Promise<Person | null> {
    return this.#byEmail(email)
  }

  identify({ id, email, name }: Person): { id: string; email: string; name: string | null } {
    return { id, email, name }
  }

  passwordHash(person: Person): string {
    return person.passwordHash
  }

  async rehash(person: Person, from: string, to: string): Promise<boolean> {
    return (await this.#rehash(to, person.id, from)) === 1
  }

  async create(person: NewUser | NewPerson): Promise<Person> {
    const row = rowOf(person)
    await this.#insert(...valuesOf(row))
    return this.#personOf(row)
  }

  /**
   * Creates all of these users at once.
   *
   * @returns `false`, without a change, if the first of them exists, created by another node for
   *   example.
   */
  async createAll(people: readonly NewPerson[]): Promise<boolean> {
    const insert = `${INSERT} ON CONFLICT (email) DO NOTHING`
    return this.#database.transaction(
      people.map((person): Step => [insert, ...valuesOf(rowOf(person))]),
    )
  }

  /** Replaces a password; sessions that were opened with the old one end. */
  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.#setPassword(passwordHash, id)
  }

  /** Removes a user with the second factor; the user's sessions end. */
  async remove(id: string): Promise<void> {
    await this.#remove(id)
  }

  /** Returns all users, for the panel's own page. */
  all(): Promise<readonly Person[]> {
    return this.#all()
  }

  #personOf(row: Row): Person {
    const { id, email, name, passwordHash, emailVerifiedAt } = row
    const twoFactorRequired = row.twoFactorRequired === 1
    const person = { id, email, name, passwordHash, emailVerifiedAt, twoFactorRequired }
    return row.mustVerifyEmail === 0 ? person : { ...person, ...this.#mustVerify(person) }
  }

  /**
   * Returns the email contract of a user; only users who have these methods must verify their
   * email.
   */
  #mustVerify({ id, email, emailVerifiedAt }: Person): MustVerifyEmail {
    return {
      hasVerifiedEmail: () => emailVerifiedAt !== null,
      markEmailAsVerified: async () => {
        await this.#verify(new Date().toISOString(), id, email)
      },
    }
  }
}

function rowOf(person: NewUser | NewPerson): Row {
  const { email, name, passwordHash } = person
  return {
    id: randomUUID(),
    email,
    name,
    passwordHash,
    emailVerifiedAt: null,
    mustVerifyEmail: 'mustVerifyEmail' in person && person.mustVerifyEmail ? 1 : 0,
    twoFactorRequired: 'twoFactorRequired' in person && person.twoFactorRequired ? 1 : 0,
  }
}

type NewRow = readonly [string, string, string | null, string, 0 | 1, 0 | 1]

function valuesOf(row: Row): NewRow {
  const { id, email, name, passwordHash, mustVerifyEmail, twoFactorRequired } = row
  return [id, email, name, passwordHash, mustVerifyEmail, twoFactorRequired]
}
