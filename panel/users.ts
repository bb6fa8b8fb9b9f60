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
  readonly twoFactorRequired: boolean
}

interface Row extends Omit<Person, 'twoFactorRequired'> {
  readonly mustVerifyEmail: 0 | 1
  readonly twoFactorRequired: 0 | 1
}

/** A person to be made. */
export interface NewPerson extends NewUser {
  readonly mustVerifyEmail: boolean
  readonly twoFactorRequired: boolean
}

const COLUMNS = `id, email, name, password_hash AS passwordHash, email_verified_at AS emailVerifiedAt,
  must_verify_email AS mustVerifyEmail, two_factor_required AS twoFactorRequired`

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
      must_verify_email INTEGER NOT NULL DEFAULT 0,
      two_factor_required INTEGER NOT NULL DEFAULT 0
    ) STRICT`)
    addTwoFactorRequired(database)
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM people WHERE id = ?`)
    this.#byEmail = database.prepare(`SELECT ${COLUMNS} FROM people WHERE email = ?`)
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM people ORDER BY email`)
    this.#insert = database.prepare(
      `INSERT INTO people (id, email, name, password_hash, must_verify_email, two_factor_required)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    this.#rehash = database.prepare(
      'UPDATE people SET password_hash = ? WHERE id = ? AND password_hash = ?',
    )
    this.#verify = database.prepare(
      'UPDATE people SET email_verified_at = ? WHERE id = ? AND email = ? AND email_verified_at IS NULL',
    )
  }

  async findById(id: string): Promise<Person | null> {
    return this.#found(this.#byId.get(id))
  }

  async findByEmail(email: string): Promise<Person | null> {
    return this.#found(this.#byEmail.get(email))
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
    const { email, name, passwordHash } = person
    const mustVerifyEmail = 'mustVerifyEmail' in person && person.mustVerifyEmail ? 1 : 0
    const twoFactorRequired = 'twoFactorRequired' in person && person.twoFactorRequired ? 1 : 0
    this.#insert.run(id, email, name, passwordHash, mustVerifyEmail, twoFactorRequired)
    return this.#personOf({
      id,
      email,
      name,
      passwordHash,
      emailVerifiedAt: null,
      mustVerifyEmail,
      twoFactorRequired,
    })
  }

  /** Everybody, for the panel's own page. */
  all(): readonly Person[] {
    return this.#all.all().map((row) => this.#personOf(row))
  }

  #found(row: Row | undefined): Person | null {
    return row === undefined ? null : this.#personOf(row)
  }

  #personOf({ id, email, name, passwordHash, emailVerifiedAt, ...flags }: Row): Person {
    const twoFactorRequired = flags.twoFactorRequired === 1
    const person = { id, email, name, passwordHash, emailVerifiedAt, twoFactorRequired }
    return flags.mustVerifyEmail === 0 ? person : { ...person, ...this.#mustVerify(person) }
  }

  /** Only people who have these methods are asked to verify their email. */
  #mustVerify({ id, email, emailVerifiedAt }: Person): MustVerifyEmail {
    return {
      hasVerifiedEmail: () => emailVerifiedAt !== null,
      markEmailAsVerified: async () => {
        this.#verify.run(new Date().toISOString(), id, email)
      },
    }
  }
}

/** Databases of the first version lack the column. */
function addTwoFactorRequired(database: Database): void {
  const columns = database.prepare<[], { readonly name: string }>('PRAGMA table_info(people)').all()
  if (columns.some(({ name }) => name === 'two_factor_required')) return
  database.exec('ALTER TABLE people ADD COLUMN two_factor_required INTEGER NOT NULL DEFAULT 0')
}
