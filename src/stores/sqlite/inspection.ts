import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  areMigrationsForbidden,
  pendingMigration,
  type Migrated,
} from '../../contracts/migrated.ts'
import { chooseDriver } from './driver.ts'
import type { OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'
import { fileOf } from './identity.ts'
import { versionsOf } from './migrations.ts'

/**
 * Returns the migration that a command that only reads must not run; `null` if migrations may run,
 * or if the database needs none. Creates and changes no file.
 */
export function pendingIn(database: string | SqliteHandle | SqliteOpener): Migrated | null {
  if (!areMigrationsForbidden()) return null
  if (typeof database === 'string') return pendingInFile(database)
  return typeof database === 'function' ? pendingInOpened(database()) : pendingInHandle(database)
}

function pendingInFile(file: string): Migrated | null {
  if (file === ':memory:') return null
  const path = resolve(file)
  // Opening fails without the folder, and says so.
  if (!existsSync(path))
    return existsSync(dirname(path)) ? pendingMigration(versionsOf(null)) : null
  return pendingInOpened(chooseDriver().open(path))
}

function pendingInOpened(handle: OwnHandle): Migrated | null {
  try {
    return pendingInHandle(handle)
  } finally {
    handle.close()
  }
}

function pendingInHandle(handle: SqliteHandle): Migrated | null {
  try {
    return fileOf(handle) === null ? null : pendingMigration(versionsOf(handle))
  } catch {
    // Opening fails for the same reason, with the remedy.
    return null
  }
}
