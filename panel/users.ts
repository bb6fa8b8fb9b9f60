import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely, Updateable } from 'kysely'
import type { MustVerifyEmail, NewUser, UserProvider } from '@svc/auth'
import type { Database, Tables } from './database.ts'

/** A user of the panel, as stored in its own table. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly emailVerifiedAt: string | null
  readonly twoFactorRequired: boolean
}

/** A user to be created. */
export interface NewPerson extends NewUser {
  readonly mustVerifyEmail?: boolean
}

interface Row extends Omit<Person, 'twoFactorRequired'> {
  readonly mustVerifyEmail: 0 | 1
  readonly twoFactorRequired: 0 | 1
}

const COLUMNS = [
  'id',
  'email',
  'name',
  'password_hash as passwordHash',
  'email_verified_at as emailVerifiedAt',
  'must_verify_email as mustVerifyEmail',
  'two_factor_required as twoFactorRequired',
] as const

/** The panel's users table: the host's part, behind the service's contract. */
export class Users implements UserProvider<Person> {
  readonly #tables: Kysely<Tables>
  readonly #byId: (id: string) => Promise<Row | null>

  constructor({ tables, prepare }: Database) {
    this.#tables = tables
    this.#byId = prepare<Row>(this.#select().where('id', '=', '').compile())
  }

  async findById(id: string): Promise<Person | null> {
    const row = await this.#byId(id)
    return row === null ? null : this.#personOf(row)
  }

  async findByEmail(email: string): Promise<Person | null> {
    const row = await this.#select().where('email', '=', email).executeTakeFirst()
    return row === undefined ? null : this.#personOf(row)
  }

  identify({ id, email, name }: Person): { id: string; email: string; name: string | null } {
    return { id, email, name }
  }

  passwordHash(person: Person): string {
    return person.passwordHash
  }

  /** Replaces a hash, unless another login has replaced it. */
  async rehash(person: Person, from: string, to: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#update(person.id, { password_hash: to })
      .where('password_hash', '=', from)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  async create(person: NewPerson): Promise<Person> {
    const row = await this.#tables
      .insertInto('people')
      .values(rowOf(person))
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    return this.#personOf(row)
  }

  /**
   * Creates users in one statement, and leaves out those whose email exists.
   *
   * @returns `false` if all of them exist, created by another node for example.
   */
  async createAll(people: readonly NewPerson[]): Promise<boolean> {
    const { numInsertedOrUpdatedRows: created = 0n } = await this.#tables
      .insertInto('people')
      .values(people.map(rowOf))
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirstOrThrow()
    return created > 0n
  }

  /** Replaces a password; sessions that were opened with the old one end. */
  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.#update(id, { password_hash: passwordHash }).execute()
  }

  /** Removes a user with the second factor; the user's sessions end. */
  async remove(id: string): Promise<void> {
    await this.#tables.deleteFrom('people').where('id', '=', id).execute()
  }

  /** Returns all users, for the panel's own page. */
  async all(): Promise<readonly Person[]> {
    const rows = await this.#select().orderBy('email').execute()
    return rows.map((row) => this.#personOf(row))
  }

  #select() {
    return this.#tables.selectFrom('people').select(COLUMNS)
  }

  #update(id: string, values: Updateable<Tables['people']>) {
    return this.#tables.updateTable('people').set(values).where('id', '=', id)
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
        await this.#update(id, { email_verified_at: new Date().toISOString() })
          .where('email', '=', email)
          .where('email_verified_at', 'is', null)
          .execute()
      },
    }
  }
}

function rowOf(person: NewPerson): Insertable<Tables['people']> {
  const { email, name, passwordHash } = person
  return {
    id: randomUUID(),
    email,
    name,
    password_hash: passwordHash,
    must_verify_email: person.mustVerifyEmail === true ? 1 : 0,
    two_factor_required: person.requireTwoFactor === true ? 1 : 0,
  }
}
