import timers from 'node:timers/promises'
import { sqliteStores } from '@svc/auth/sqlite'
import { outbox, type FakeUsers, type Outbox } from '@svc/auth/testing'
import { sqliteUsers } from '@svc/auth/users'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { UNLIMITED, startWithFactor, type FactorService } from '../support/second-factor.ts'
import { UNRATIONED_MAIL } from '../support/mail.ts'
import { passwordHash, somePeople } from '../support/service.ts'
import { drivers, type HostHandle } from '../support/sqlite.ts'
import { barrier, replaceTimer } from '../support/time.ts'

/** A service whose stores and users are in the database of the host's handle. */
export interface SharedService extends FactorService {
  readonly handle: HostHandle
  readonly mailer: Outbox
  /** Returns a column of the user's row, as the host sees it. */
  readonly column: (id: string, name: 'password' | 'verified') => unknown
}

const places: Readonly<Record<string, { readonly file?: true; readonly journal: string }>> = {
  'a file with a write-ahead log': { file: true, journal: 'WAL' },
  'a file with a rollback journal': { file: true, journal: 'DELETE' },
  memory: { journal: 'MEMORY' },
}

type Subject = readonly [name: string, open: () => HostHandle]

/** The handles of a host, by driver and place. Each has a users table, and a table of the host. */
export const handles: readonly Subject[] = drivers.flatMap(([driver, open]) =>
  Object.entries(places).map(([place, { file, journal }]): Subject => [
    `${driver} on ${place}`,
    () => {
      const handle = closedAfterTest(
        open(file === true ? temporaryDatabase() : ':memory:', { timeout: 5000 }),
      )
      handle.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE orders (id INTEGER);
          CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT, name TEXT, password TEXT, verified TEXT)`)
      return handle
    },
  ]),
)

/** Starts the service on a handle. U2 has a second factor, and U3 must verify its email. */
export async function startOn(handle: HostHandle): Promise<SharedService> {
  const insert = handle.prepare('INSERT INTO users VALUES (?, ?, ?, ?, null)')
  for (const id of ['u1', 'u2', 'u3']) insert.run(id, `${id}@x.test`, id, passwordHash)
  const users = sqliteUsers(handle, {
    table: 'users',
    columns: {
      id: 'id',
      email: 'email',
      name: 'name',
      passwordHash: 'password',
      emailVerifiedAt: 'verified',
    },
    mustVerify: ({ id }) => id === 'u3',
    newRow: ({ email }) => ({ id: email }),
  })
  const { canAccessPanel: _, ...rest } = somePeople()
  const mailer = outbox()
  const service = await startWithFactor({
    stores: sqliteStores(handle),
    // The rows of the table have what the service asks of a fake one.
    users: { ...rest, ...users } as unknown as FakeUsers,
    mailer,
    config: { limits: { ...UNLIMITED.limits, ...UNRATIONED_MAIL } },
  })
  const read = handle.prepare('SELECT * FROM users WHERE id = ?')
  return {
    ...service,
    handle,
    mailer,
    column: (id, name) => Reflect.get(Object(read.all(id)[0]), name),
  }
}

/** Begins a transaction of the host, which has written. */
export function begin({ handle }: Pick<SharedService, 'handle'>): void {
  handle.exec('BEGIN; INSERT INTO orders VALUES (1)')
}

/** The store waits this often, and no longer each time, before the transaction of the host ends. */
const WAITS = 3
const LONGEST_WAIT_MS = 8

/**
 * Runs work of the service during a transaction of the host, which ends once a store has waited for it a few times, or
 * the work is done.
 */
export async function endOnceAwaited<Result>(
  { handle }: Pick<SharedService, 'handle'>,
  ending: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { passed, open } = barrier()
  let waits = 0
  const restore = replaceTimer(timers, (wait) => async (milliseconds: number) => {
    if (milliseconds <= LONGEST_WAIT_MS) waits += 1
    if (waits === WAITS) open()
    return wait(milliseconds)
  })
  try {
    const done = work()
    await Promise.race([passed, done.catch(() => undefined)])
    handle.exec(ending)
    return await done
  } finally {
    restore()
  }
}
