import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOfError } from '../../contracts/errors.ts'

/** Permission bits of group and others. */
const OTHERS = 0o077
const EVERYBODY = 0o007

/** Entry in the root of a new file system. */
const LOST_AND_FOUND = 'lost+found'

/** A folder that only its owner may read, and its expected files. */
export interface PrivateFolder {
  readonly path: string
  /** The setting of the host that names the folder, for messages. */
  readonly setting: string
  /** Returns whether a file or folder in it is the host's. */
  readonly isExpectedFile: (name: string) => boolean
}

/**
 * Creates a folder for password hashes, keys and mails, or removes other users' permissions from it
 * and its files. Refuses to do so if it holds anything else, because a setting of `/var` would lock
 * out the whole system. Leaves permissions alone on Windows.
 *
 * @throws {Error} It cannot be created, or others may read it and that cannot be changed here. The
 *   message names the setting and the remedy.
 *
 * @example
 * ```ts
 * ensurePrivateFolder({
 *   path: '/var/lib/panel',
 *   setting: 'DATA_FOLDER',
 *   isExpectedFile: (name) => name.startsWith('panel.sqlite'),
 * })
 * ```
 */
export function ensurePrivateFolder(folder: PrivateFolder): void {
  const { path, setting, isExpectedFile } = folder
  try {
    createFolder(path)
    // Windows has no permission bits.
    if (process.getuid === undefined) return
    tightenFolder(folder, process.getuid())
    const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of files) if (isExpectedFile(name)) tightenFile(join(path, name))
  } catch (cause) {
    const isOfSystem = cause instanceof Error && 'code' in cause
    const remedy = isOfSystem ? 'give a folder that belongs to this user; ' : ''
    const reason = `${remedy}${reasonOfError(cause)}`
    throw new Error(`${setting} is ${JSON.stringify(path)}: ${reason}`, { cause })
  }
}

/**
 * Creates a folder and those above it. Node's own option `recursive` tries for ever where the
 * system takes no folder, as in /proc.
 */
function createFolder(path: string): void {
  const above = dirname(path)
  if (!existsSync(above)) createFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

function tightenFolder({ path, isExpectedFile }: PrivateFolder, user: number): void {
  const { mode, uid } = statSync(path)
  if ((mode & OTHERS) === 0) return
  if (user !== uid && user !== 0) {
    // Access for a group can be intended, as on a container's volume; access for everybody cannot.
    if ((mode & EVERYBODY) === 0) return
    throw new Error(`everybody may enter this folder of user ${uid}; ${REMEDY}`)
  }
  const foreign = readdirSync(path).find((name) => name !== LOST_AND_FOUND && !isExpectedFile(name))
  if (foreign !== undefined)
    throw new Error(
      `others may enter this folder, and ${foreign} in it is not the panel's; ${REMEDY}`,
    )
  chmodSync(path, 0o700)
}

function tightenFile(path: string): void {
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, 0o600)
}

const REMEDY = 'give the panel a folder of its own, or run `chmod 700` on this one'
