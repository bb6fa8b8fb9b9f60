import type { Statements } from './statements.ts'
import {
  isCutOff,
  isRowOf,
  isTooLong,
  readText,
  storedText,
  type RowName,
} from './tables/row-values.ts'

type HashStatements = Pick<Statements, 'byId' | 'replaceHash' | 'setHash'>

/**
 * Creates the changes of password hashes. Each reads the row again afterwards: MySQL without
 * `STRICT_TRANS_TABLES` cuts off what does not fit into the column, and nobody could log in by what
 * is left. The number of changed rows alone is no proof: SQLite counts none for a view with a
 * trigger, and PostgreSQL none that a policy hides.
 */
export function createHashChanges(statements: HashStatements) {
  const alterations = createAlterations()
  /** Reads the hash as it is stored, with spaces at its end. */
  async function readHash(user: RowName): Promise<string | null> {
    const rows = await statements.byId(user.id, user.tenant)
    // The database also finds an id, or a tenant, that is only similar.
    const row = rows.find((one) => isRowOf(user, one))
    return row === undefined ? null : storedText('passwordHash', row['passwordHash'])
  }

  /** Puts the hash of before back where the column did not take the new one. */
  async function ensureWhole(
    user: RowName,
    { before, stored, to }: Readonly<Record<'before' | 'stored', string | null>> & { to: string },
  ): Promise<void> {
    if (isCutOff(hashOf(stored), to)) {
      await statements.replaceHash(user, stored, before)
      throw new Error(NOT_WHOLE)
    }
    // Otherwise the user, or the password, was removed meanwhile.
    alterations.note(user, stored !== null && hashOf(stored) !== to)
  }

  return {
    /** Replaces a hash that is still `from`. @returns false when it is another one. */
    async replaceHash(user: RowName, from: string | null, to: string): Promise<boolean> {
      alterations.ensureRare()
      const before = await readHash(user)
      if (hashOf(before) !== from) return false
      const count = await written(async () => statements.replaceHash(user, before, to))
      const stored = await readHash(user)
      if (from !== null && stored === before && from !== to) throw new Error(NOT_CHANGED)
      if (!(count > 0) && hashOf(stored) !== to) return false
      await ensureWhole(user, { before, stored, to })
      return true
    },
    /** Sets the hash, whichever there is. */
    async setHash(user: RowName, to: string): Promise<void> {
      alterations.ensureRare()
      const before = await readHash(user)
      await written(async () => statements.setHash(user, to))
      const stored = await readHash(user)
      if (stored === before && hashOf(stored) !== to) throw new Error(NOT_CHANGED)
      await ensureWhole(user, { before, stored, to })
    },
  }
}

/**
 * Runs a change, and names the remedy where the column is too short. The log of a login leaves the
 * message of the driver out.
 */
async function written<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    throw isTooLong(error) ? new Error(TOO_SHORT, { cause: error }) : error
  }
}

/** Of one user, several requests at once may have changed the hash. */
const MAX_ALTERED = 2

/** Keeps the users whose column held another hash than was given, since a change that went well. */
function createAlterations() {
  const altered = new Set<string>()
  return {
    /** Ends the changes before a trigger that hashes again locks out every user. */
    ensureRare(): void {
      if (altered.size >= MAX_ALTERED)
        throw new Error(`nothing was changed: ${ALTERED}; then restart the service`)
    },
    note({ id, tenant }: RowName, isAltered: boolean): void {
      if (!isAltered) return altered.clear()
      altered.add(JSON.stringify([tenant, id]))
      // Not put back: the other hash may be that of a request which came after this one.
      throw new Error(ALTERED)
    },
  }
}

function hashOf(stored: string | null): string | null {
  return readText('passwordHash', stored)
}

const NOT_WHOLE =
  'the column of `passwordHash` did not store the whole hash, so the one of before was put back: make it a varchar(255) or a text'
export const ALTERED =
  'the column of `passwordHash` holds another text than was given, as after a trigger that hashes again: such a hash lets nobody log in, so leave hashes as they are in the trigger, and set the password of this user anew'
const TOO_SHORT =
  'the column of `passwordHash` is too short for the new hash, so the old one stays: make it a varchar(255) or a text'
const NOT_CHANGED =
  'the hash is still the same: check that the user was not removed, the rights, the policies and the triggers of the table, and that `passwordHash` is a column of texts'
