import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryDatabase } from '../support/databases.ts'

const program = fileURLToPath(new URL('short-process.mjs', import.meta.url))

// Finalising what was dropped ended some processes and not others: only many of them tell.
it.each(['file', 'openSqlite', 'exit'])(
  'a process that logs in, notifies and ends without close exits with 0 and without a warning, every time (%s)',
  async (how) => {
    const file = temporaryDatabase()
    for (let round = 0; round < 7; round += 1) {
      // Rejects where the process ends otherwise, by a signal too.
      const ended = await promisify(execFile)(process.execPath, [program, file, how])
      expect(ended).toEqual({ stdout: '200\n', stderr: '' })
      expect(existsSync(`${file}-wal`)).toBe(false)
    }
  },
  120_000,
)
