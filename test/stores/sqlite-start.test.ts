import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createRequire } from 'node:module'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDatabase } from '../support/databases.ts'
import { openHandle } from '../support/sqlite.ts'

const NOBODY = 65_534
const entry = { type: 'type', title: 'x'.repeat(200), body: null, url: null, createdAt: 1 }
const owner = { tenant: null, userId: 'u1' }

it('a better-sqlite3 that is loaded without its native part is passed over', () => {
  const file = temporaryDatabase()
  const release = join(dirname(file), 'better-sqlite3')
  mkdirSync(join(release, 'lib'), { recursive: true })
  writeFileSync(join(release, 'package.json'), JSON.stringify({ version: '12.0.0' }))
  const driver = join(release, 'lib', 'index.js')
  writeFileSync(driver, 'module.exports = class { constructor() { throw new Error("unbuilt") } }')
  const program = fileURLToPath(new URL('unbuilt-driver.mjs', import.meta.url))
  const args = [program, driver, file]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

describe('a file that cannot be used', () => {
  it('is refused with the name of its folder when that is missing', () => {
    const file = join(dirname(temporaryDatabase()), 'missing', 'panel.db')
    refuses(file, 'ConfigError', `the folder ${dirname(file)} does not exist`)
  })

  it('below a file is refused', () => {
    const file = temporaryDatabase()
    writeFileSync(file, '')
    refuses(join(file, 'panel.db'), 'ConfigError', `${file} is not a folder`)
  })

  it('is refused when it is a folder', () => {
    const file = temporaryDatabase()
    mkdirSync(file)
    refuses(file, 'ConfigError', `${file} is a folder; name a file in it`)
  })

  it('is refused when it is missing beside a WAL, which stays as it is', () => {
    const file = temporaryDatabase()
    writeFileSync(`${file}-wal`, 'changes')
    refuses(file, 'ConfigError', `${file} is missing, and ${file}-wal has changes of it`)
    expect([existsSync(file), readFileSync(`${file}-wal`, 'utf8')]).toEqual([false, 'changes'])
    // Emptied at the end of a connection, it has none.
    truncateSync(`${file}-wal`)
    openSqlite(file).close()
  })

  it.each(['', 'file:panel.db'])('named "%s" is refused', (name) => {
    expect(() => sqliteStores(name)).toThrow(expect.objectContaining({ name: 'ConfigError' }))
  })

  it('is refused and left unchanged when it is not a database', () => {
    const file = temporaryDatabase()
    const content = 'no database at all'.repeat(100)
    writeFileSync(file, content)
    refuses(file, 'StoreError', `${file} is not a SQLite database, or is encrypted`)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('is refused when its header was overwritten', async () => {
    const file = await filled()
    overwrite(file, 0, 16)
    refuses(file, 'StoreError', `${file} is not a SQLite database, or is encrypted or overwritten`)
  })

  it('is refused as damaged when it was cut off in the middle', async () => {
    const file = await filled()
    truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)
    refuses(file, 'StoreError', `${file} is damaged; move ${file}* away, and restore a backup`)
  })

  it.each([2, 5, 9, 20])('is refused as damaged when its page %i was overwritten', async (page) => {
    const file = await filled()
    overwrite(file, page * 4096, 4096)
    refuses(file, 'StoreError', `${file} is damaged; move ${file}* away, and restore a backup`)
  })

  const isRoot = process.getuid?.() === 0
  const reason = isRoot ? '' : ' (skipped: only root can start a process of another user)'

  it.skipIf(!isRoot)(`that is read-only is refused${reason}`, async () => {
    const file = await filled()
    chownSync(dirname(file), NOBODY, NOBODY)
    chmodSync(file, 0o444)
    expect(openAsNobody(file)).toMatch(
      `ConfigError stores: sqliteStores('${file}'): ${file} cannot be opened for writing`,
    )
  })

  it.skipIf(!isRoot)(`is refused in a read-only folder${reason}`, async () => {
    const file = await filled()
    chownSync(file, NOBODY, NOBODY)
    chmodSync(dirname(file), 0o755)
    expect(openAsNobody(file)).toMatch(
      `ConfigError stores: sqliteStores('${file}'): ${file} cannot be opened for writing`,
    )
    expect(openAsNobody(join(dirname(file), 'new.db'))).toMatch('cannot be opened for writing')
  })

  it.skipIf(!isRoot)(`is refused on a full disk${reason}`, ({ skip }) => {
    const folder = join(dirname(temporaryDatabase()), 'disk')
    mkdirSync(folder)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'svc-full', folder])
    skip(mounted.status !== 0, 'a file system cannot be mounted here')
    onTestFinished(() => void spawnSync('umount', [folder]))
    const file = join(folder, 'panel.db')
    expect(() => sqliteStores(file)).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        message: expect.stringMatching(/panel\.db.* full/),
      }),
    )
  })
})

describe('tables of a newer version', () => {
  it('are used and left unchanged while they only have more', async () => {
    const file = await filled()
    const later = openHandle(file)
    later.exec(
      'INSERT INTO svc_schema VALUES (1000); ALTER TABLE svc_sessions ADD COLUMN later TEXT',
    )
    const stores = sqliteStores(file)
    expect(stores.migrated?.from).toBe(stores.migrated?.to)
    await stores.attempts.reserve('key', 1000, 0)
    await stores.close()
    expect(later.prepare('SELECT max(version) AS version FROM svc_schema').all()).toEqual([
      { version: 1000 },
    ])
    later.close()
  })

  it('are refused with the file and both remedies, also through a handle, and left unchanged, when they lack something', async () => {
    const file = await filled()
    const later = openHandle(file)
    later.exec(
      `INSERT INTO svc_schema VALUES (1000); INSERT INTO svc_metadata VALUES ('tables.oldest', '999')`,
    )
    const message = expect.stringMatching(
      new RegExp(`${file}.* version 1000.*Install that release.*restore the backup`),
    )
    const refusal = expect.objectContaining({ name: 'ConfigError', message })
    const contents = () => later.prepare('SELECT * FROM svc_schema, sqlite_schema').all()
    const before = contents()
    expect(() => sqliteStores(file)).toThrow(refusal)
    expect(() => sqliteStores(later)).toThrow(refusal)
    expect(contents()).toEqual(before)
    later.close()
  })
})

describe('the rights of a new file', () => {
  it('are those of its owner only, also of its WAL and shared memory', async () => {
    const file = temporaryDatabase()
    const stores = sqliteStores(file)
    await stores.attempts.reserve('key', 1000, 0)
    const rights = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777)
    expect(rights).toEqual([0o600, 0o600, 0o600])
    await stores.close()
  })

  it('are the same for openSqlite', () => {
    const file = temporaryDatabase()
    openSqlite(file).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('the check of the stores', () => {
  it.each(['', '-wal', '-shm'])('fails once the file "panel.db%s" was deleted', async (suffix) => {
    const file = temporaryDatabase()
    const stores = sqliteStores(file)
    await stores.attempts.reserve('key', 1000, 0)
    await stores.check()
    spawnSync('rm', [`${file}${suffix}`])
    const refusal = {
      name: 'StoreError',
      message: expect.stringContaining('deleted or replaced'),
    }
    await expect(async () => stores.check()).rejects.toMatchObject(refusal)
    // The end of a session, for example, would be undone by the next start.
    await expect(stores.attempts.reserve('key', 1000, 0)).rejects.toMatchObject(refusal)
    expect(await stores.attempts.count('key', 0)).toBe(1)
    await stores.close()
  })

  it('fails once the file was emptied, as by a copy onto it on a full disk', async () => {
    const file = temporaryDatabase()
    const stores = sqliteStores(file)
    await stores.check()
    truncateSync(file)
    await expect(async () => stores.check()).rejects.toThrow('or emptied')
    await expect(stores.attempts.reserve('key', 1000, 0)).rejects.toThrow('or emptied')
  })

  it('succeeds again once a file that was moved away is back, and so does every write', async () => {
    const file = temporaryDatabase()
    const stores = sqliteStores(file)
    spawnSync('mv', [file, `${file}.old`])
    await expect(stores.attempts.reserve('key', 1000, 0)).rejects.toThrow('deleted or replaced')
    spawnSync('mv', [`${file}.old`, file])
    await stores.check()
    expect(await stores.attempts.reserve('key', 1000, 0)).toMatchObject({ number: 1 })
    await stores.close()
  })

  it('fails once another file has replaced it, also through a handle of the host', async () => {
    const file = temporaryDatabase()
    const stores = sqliteStores(openHandle(file))
    spawnSync('mv', [file, `${file}.old`])
    spawnSync('cp', [`${file}.old`, file])
    await expect(async () => stores.check()).rejects.toThrow('deleted or replaced')
  })
})

/** A database of some pages, closed. */
async function filled(): Promise<string> {
  const file = temporaryDatabase()
  const stores = sqliteStores(file)
  const ids = Array.from({ length: 400 }, (_, index) => `entry ${index}`)
  await Promise.all(ids.map(async (id) => stores.notifications.add(owner, { ...entry, id })))
  await stores.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
  return file
}

function overwrite(file: string, position: number, length: number): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(length, 0xaa), 0, length, position)
  closeSync(descriptor)
}

function refuses(file: string, name: string, reason: string): void {
  expect(() => sqliteStores(file)).toThrow(
    expect.objectContaining({
      name,
      message: expect.stringMatching(`^stores: sqliteStores\\('${file}'\\): `),
    }),
  )
  expect(() => sqliteStores(file)).toThrow(reason)
}

/** @returns the name and message of the error, from a process of the user `nobody`. */
function openAsNobody(file: string): string {
  const entryPoint = pathToFileURL(createRequire(import.meta.url).resolve('@svc/auth/sqlite')).href
  const program = `
    process.setgid(${NOBODY}); process.setuid(${NOBODY})
    try { sqliteStores(${JSON.stringify(file)}) }
    catch ({ name, message }) { console.log(name, message) }`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { sqliteStores } from '${entryPoint}'
      ${program}`,
    ],
    { encoding: 'utf8' },
  )
  return stdout + stderr
}
