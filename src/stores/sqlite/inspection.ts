import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { areMigrationsForbidden, pendingMigration, type Migrated } from '../../migrated.ts'
import { chooseDriver } from './driver.ts'
import type { SqliteHandle } from './driver.ts'
import { fileOf } from './identity.ts'
import { versionsOf } from './migrations.ts'

/**
 * Returns the migration that opening would run where a command only looks; `null` when it may run,
 * or there is none. Neither creates a file nor changes one.
 */
export function pendingIn(database: string | SqliteHandle): Migrated | null {
  if (!areMigrationsForbidden()) return null
  return typeof database === 'string' ? pendingInFile(database) : pendingInHandle(database)
}

function pendingInFile(file: string): Migrated | null {
  if (file === ':memory:') return null
  const path = resolve(file)
  // Opening fails without the folder, and says so.
  if (!existsSync(path))
    return existsSync(dirname(path)) ? pendingMigration(versionsOf(null)) : null
  const handle = chooseDriver().open(path)
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
