import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSvc, temporaryFolder } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

function rightsOf(path: string): number {
  return statSync(path).mode & 0o777
}

const migrate = async (folder: string) => runSvc({ SVC_DATA: folder }, 'migrate')

describe('The data folder of the reference panel', () => {
  it('is made for its owner only, and so are the files in it', async () => {
    const folder = join(temporaryFolder(), 'made', 'data')
    expect((await migrate(folder)).code).toBe(0)
    expect(rightsOf(folder)).toBe(PRIVATE_FOLDER)
    expect(rightsOf(join(folder, 'panel.sqlite'))).toBe(PRIVATE_FILE)
  })

  it('that was readable by everybody becomes private, with its database, WAL and key', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'panel.sqlite')
    const open = openHandle(file)
    open.exec('PRAGMA journal_mode = WAL; CREATE TABLE something (id TEXT)')
    writeFileSync(join(folder, 'app.key'), 'k'.repeat(44))
    const files = ['panel.sqlite', 'panel.sqlite-wal', 'panel.sqlite-shm', 'app.key'].map((name) =>
      join(folder, name),
    )
    for (const path of files) chmodSync(path, 0o644)
    chmodSync(folder, 0o755)
    expect((await migrate(folder)).code).toBe(0)
    expect([folder, ...files].map(rightsOf)).toEqual([
      PRIVATE_FOLDER,
      ...files.map(() => PRIVATE_FILE),
    ])
    open.close()
  })

  it('that is open to others and has foreign files is refused and left unchanged', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'photos'))
    chmodSync(folder, 0o755)
    const { code, stderr } = await migrate(folder)
    expect(code).toBe(1)
    expect(stderr).toContain(`SVC_DATA is "${folder}"`)
    expect(stderr).toContain('photos')
    expect(stderr).toContain('chmod 700')
    expect(rightsOf(folder)).toBe(0o755)
  })

  it('that is a file is refused with the name of the setting', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await migrate(file)
    expect(code).toBe(1)
    expect(stderr).toContain(`SVC_DATA is "${file}"`)
  })

  it('is refused where the system takes no folder', async () => {
    const { code, stderr } = await migrate('/proc/made/data')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^SVC_DATA is "\/proc\/made\/data": /),
    ])
  })

  it('is refused with the setting, the file and the remedy when its database is damaged', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'panel.sqlite'), 'no database'.repeat(100))
    const { code, stderr } = await migrate(folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^SVC_DATA: .*panel\.sqlite.* is not a SQLite database/)
    expect(stderr).toContain('restore a backup')
  })

  const isRoot = process.getuid?.() === 0
  const reason = isRoot ? '' : ' (skipped: only root can give a folder away)'
  it.skipIf(!isRoot)(
    `becomes private when it is of another account and the panel runs as root${reason}`,
    async () => {
      const folder = temporaryFolder()
      chownSync(folder, 65_534, 65_534)
      chmodSync(folder, 0o755)
      expect((await migrate(folder)).code).toBe(0)
      expect(rightsOf(folder)).toBe(PRIVATE_FOLDER)
    },
  )
})
