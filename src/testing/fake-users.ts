import type { Clock, EpochMs, MustVerifyEmail, Tenant, UserProvider } from '../contracts/host.ts'
import { fakeClock } from './fake-clock.ts'
import { createFaults, failing, hanging } from './faults.ts'

/** A row of a users table. */
export interface FakeUserRow {
  readonly id: string
  /** Canonical, as the service looks it up. */
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string | null
  readonly active: boolean
  readonly mustVerify: boolean
  readonly emailVerifiedAt: EpochMs | null
  readonly tenant: Tenant
}

/** Fields of a new user. Defaults: no name, no password, active, need not verify, no tenant. */
export type FakeUserFields = Pick<FakeUserRow, 'id' | 'email'> & Partial<FakeUserRow>

/** Result of the provider: the row, with the methods of MustVerifyEmail if `mustVerify` is set. */
export type FakeUser = FakeUserRow & Partial<MustVerifyEmail>

const METHODS = [
  'findById',
  'findByEmail',
  'rehash',
  'setPasswordHash',
  'canAccessPanel',
  'create',
  'markEmailAsVerified',
] as const

/** Methods that can be counted and made to fail. */
export type FakeUsersCall = (typeof METHODS)[number]

/** A UserProvider with its table and switchable faults. */
export interface FakeUsers extends Required<
  Omit<UserProvider<FakeUser>, 'present' | 'verifyPassword'>
> {
  /** Number of calls of each method, including failed ones. */
  readonly calls: Readonly<Record<FakeUsersCall, number>>
  add(fields: FakeUserFields): void
  update(id: string, changes: Partial<Omit<FakeUserRow, 'id' | 'tenant'>>, tenant?: Tenant): void
  remove(id: string, tenant?: Tenant): void
  /** Returns the current row; `null` if it is missing. Does not count as a call. */
  row(id: string, tenant?: Tenant): FakeUserRow | null
  /** Makes the named methods, or all, reject until `recover`. */
  failWith(error: Error, ...only: readonly FakeUsersCall[]): void
  /** Makes the named methods, or all, hang until `recover`. */
  hang(...only: readonly FakeUsersCall[]): void
  recover(): void
}

/**
 * Creates users in memory. @param options.clock Dates the verification of an email.
 *
 * @example
 * ```ts
 * const users = fakeUsers([{ id: 'ada', email: 'ada@example.com', mustVerify: true }])
 * users.hang('findByEmail')
 * ```
 */
export function fakeUsers(
  list: readonly FakeUserFields[],
  { clock = fakeClock() }: { readonly clock?: Clock } = {},
): FakeUsers {
  const { rows, ...table } = makeTable(list)
  const faults = createFaults(METHODS)
  const present = (row: FakeUserRow) => asUser(row, { clock, table, faults })
  const found = (row: FakeUserRow | null | undefined) => (row ? present(row) : null)
  function replaceHash({ id, tenant }: FakeUser, from: string | null, to: string): boolean {
    if (table.row(id, tenant)?.passwordHash !== from) return false
    table.update(id, { passwordHash: to }, tenant)
    return true
  }
  return {
    calls: faults.calls,
    ...table,
    failWith: (error, ...only) => faults.set(failing(error), ...only),
    hang: (...only) => faults.set(hanging, ...only),
    recover: faults.recover,
    findById: (id, tenant) => faults.answer('findById', () => found(table.row(id, tenant))),
    findByEmail: (email, tenant) =>
      faults.answer('findByEmail', () =>
        found(rows().find((row) => row.email === email && row.tenant === tenant)),
      ),
    identify: ({ id, email, name, tenant }) => ({ id, email, name, tenant }),
    passwordHash: (user) => user.passwordHash,
    rehash: (user, from, to) => faults.answer('rehash', () => replaceHash(user, from, to)),
    setPasswordHash: (user, from, to) =>
      faults.answer('setPasswordHash', () => replaceHash(user, from, to)),
    canAccessPanel: (user) => faults.answer('canAccessPanel', () => user.active),
    create: (fields, tenant) =>
      faults.answer('create', () =>
        present(table.add({ ...fields, id: `created-${faults.calls.create}`, tenant })),
      ),
  }
}

interface Context {
  readonly clock: Clock
  readonly table: Pick<FakeUsers, 'row' | 'update'>
  readonly faults: ReturnType<typeof createFaults<FakeUsersCall>>
}

function asUser(row: FakeUserRow, { clock, table, faults }: Context): FakeUser {
  if (!row.mustVerify) return { ...row }
  let verified = row.emailVerifiedAt !== null
  return {
    ...row,
    hasVerifiedEmail: () => verified,
    markEmailAsVerified: () =>
      faults.answer('markEmailAsVerified', () => {
        if (table.row(row.id, row.tenant)?.email !== row.email) return
        table.update(row.id, { emailVerifiedAt: clock.now() }, row.tenant)
        verified = true
      }),
  }
}

function makeTable(list: readonly FakeUserFields[]) {
  let rows: readonly FakeUserRow[] = []
  const isNamed = (id: string, tenant: Tenant) => (row: FakeUserRow) =>
    row.id === id && row.tenant === tenant
  const row = (id: string, tenant: Tenant = null) => rows.find(isNamed(id, tenant)) ?? null
  function add(fields: FakeUserFields): FakeUserRow {
    const added = { ...unnamed, ...fields }
    if (row(added.id, added.tenant)) throw new Error(`there is a user ${added.id} already`)
    rows = [...rows, added]
    return added
  }
  function replace(id: string, tenant: Tenant, by: (row: FakeUserRow) => readonly FakeUserRow[]) {
    if (!row(id, tenant)) throw new Error(`there is no user ${id} of tenant ${tenant}`)
    rows = rows.flatMap((it) => (isNamed(id, tenant)(it) ? by(it) : [it]))
  }
  for (const fields of list) add(fields)
  return {
    rows: () => rows,
    row,
    add,
    update: (id: string, changes: Partial<FakeUserRow>, tenant: Tenant = null) => {
      replace(id, tenant, (it) => [{ ...it, ...changes }])
    },
    remove: (id: string, tenant: Tenant = null) => {
      replace(id, tenant, () => [])
    },
  }
}

const unnamed = {
  name: null,
  passwordHash: null,
  active: true,
  mustVerify: false,
  emailVerifiedAt: null,
  tenant: null,
} as const
