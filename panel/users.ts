import { randomUUID } from 'node:crypto'
import type { Database, Statement } from 'better-sqlite3'
import type { MustVerifyEmail, NewUser, UserProvider } from '@svc/auth'

/** A person of the panel, as its own table keeps it. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly emailVerifiedAt: string | null
}

interface Row extends Person {
  readonly mustVerifyEmail: 0 | 1
}

/** A person to be made. */
export interface NewPerson extends NewUser {
  readonly mustVerifyEmail: boolean
}

const COLUMNS = `id, email, name, password_hash AS passwordHash, email_verified_at AS emailVerifiedAt,
  must_verify_email AS mustVerifyEmail`

/** The users table of the panel: what a host has already, behind the contract of the service. */
export class Users implements UserProvider<Person> {
  readonly #byId: Statement<[string], Row>
  readonly #byEmail: Statement<[string], Row>
  readonly #all: Statement<[], Row>
  readonly #insert: Statement
  readonly #rehash: Statement
  readonly #verify: Statement

  constructor(database: Database) {
    // `email` holds the canonical form and is compared byte for byte, as the contract asks.
    database.exec(`CREATE TABLE IF NOT EXISTS people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT,
      password_hash TEXT NOT NULL,
      email_verified_at TEXT,
      must_verify_email INTEGER NOT NULL DEFAULT 0
    ) STRICT`)
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM people WHERE id = ?`)
    this.#byEmail = database.prepare(`SELECT ${COLUMNS} FROM people WHERE email = ?`)
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM people ORDER BY email`)
    this.#insert = database.prepare(
      'INSERT INTO people (id, email, name, password_hash, must_verify_email) VALUES (?, ?, ?, ?, ?)',
    )
    this.#rehash = database.prepare(
      'UPDATE people SET password_hash = ? WHERE id = ? AND password_hash = ?',
    )
    this.#verify = database.prepare(
      'UPDATE people SET email_verified_at = ? WHERE id = ? AND email = ? AND email_verified_at IS NULL',
    )
  }

  async findById(id: string): Promise<Person | null> {
    return this.#personOf(this.#byId.get(id))
  }

  async findByEmail(email: string): Promise<Person | null> {
    return this.#personOf(this.#byEmail.get(email))
  }

  identify({ id, email, name }: Person): { id: string; email: string; name: string | null } {
    return { id, email, name }
  }

  passwordHash(person: Person): string {
    return person.passwordHash
  }

  async rehash(person: Person, from: string, to: string): Promise<boolean> {
    return this.#rehash.run(to, person.id, from).changes === 1
  }

  async create(person: NewUser | NewPerson): Promise<Person> {
    const id = randomUUID()
    const mustVerify = 'mustVerifyEmail' in person && person.mustVerifyEmail
    this.#insert.run(id, person.email, person.name, person.passwordHash, mustVerify ? 1 : 0)
    return {
      id,
      email: person.email,
      name: person.name,
      passwordHash: person.passwordHash,
      emailVerifiedAt: null,
    }
  }

  /** Everybody, for the panel's own page. */
  all(): readonly Person[] {
    return this.#all.all()
  }

  #personOf(row: Row | undefined): Person | null {
    if (row === undefined) return null
    return row.mustVerifyEmail === 0 ? row : Object.assign(row, this.#mustVerify(row))
  }

  /** Only people who have these methods are asked to verify their email. */
  #mustVerify({ id, email, emailVerifiedAt }: Row): MustVerifyEmail {
    return {
      hasVerifiedEmail: () => emailVerifiedAt !== null,
      markEmailAsVerified: async () => {
        this.#verify.run(new Date().toISOString(), id, email)
      },
    }
  }
}
