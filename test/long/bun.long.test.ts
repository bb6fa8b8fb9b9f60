import { spawnSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { installBun } from '../../scripts/bun.mjs'

let bun: string
beforeAll(() => void (bun = installBun()), 120_000)

it.each(['node:sqlite', 'bun:sqlite', 'handle'])(
  'the SQLite stores keep their contracts in Bun, with the driver %s',
  { timeout: 120_000 },
  (driver) => {
    const args = ['test/stores/bun-sqlite.mjs', driver]
    const { stdout, stderr, status } = spawnSync(bun, args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\d{2,} passed, 0 failed$/m)
    expect(status).toBe(0)
  },
)
