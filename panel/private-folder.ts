import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from './error-text.ts'

/** The permission bits of group and others. */
const OTHERS = 0o077
const EVERYBODY = 0o007

/** Entries that a new file system has in its root. */
const NOT_OF_ANYBODY = 'lost+found'

/** A folder that only its owner may read, and what belongs in it. */
export interface PrivateFolder {
  readonly path: string
  /** The setting that leads to it, for messages. */
  readonly setting: string
  readonly isOurs: (name: string) => boolean
}

/**
 * Makes the folder, or takes the rights of everybody else away from it and from the files in it: they hold password
 * hashes, keys and links. Rights are only taken from a folder that holds nothing else, as `SVC_DATA=/var` would lock
 * the whole system out.
 *
 * @throws {Error} It cannot be made, or others may read it and that cannot be changed here.
 */
export function ensurePrivate(folder: PrivateFolder): void {
  const { path, setting } = folder
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    // Windows keeps rights elsewhere.
    if (process.getuid === undefined) return
    tightenFolder(folder, process.getuid())
    const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of files) if (folder.isOurs(name)) tightenFile(join(path, name))
  } catch (cause) {
    throw new Error(`${setting} is ${JSON.stringify(path)}: ${reasonOf(cause)}`, { cause })
  }
}

function tightenFolder({ path, isOurs }: PrivateFolder, user: number): void {
  const { mode, uid } = statSync(path)
  if ((mode & OTHERS) === 0) return
  if (user !== uid && user !== 0) {
    // A group can be meant, as on a volume of a container. Everybody never is.
    if ((mode & EVERYBODY) === 0) return
    throw new Error(`everybody may enter this folder of user ${uid}; ${REMEDY}`)
  }
  const foreign = readdirSync(path).find((name) => name !== NOT_OF_ANYBODY && !isOurs(name))
  if (foreign !== undefined) {
    throw new Error(
      `others may enter this folder, and ${foreign} in it is not the panel's; ${REMEDY}`,
    )
  }
  chmodSync(path, 0o700)
}

function tightenFile(path: string): void {
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, 0o600)
}

const REMEDY = 'give the panel a folder of its own, or run `chmod 700` on this one'
