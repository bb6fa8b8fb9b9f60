import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { sqliteStores } from '@svc/auth/sqlite'
import { attemptStoreCases, sessionStoreCases } from '@svc/auth/testing'
import type { StoreSubject } from '@svc/auth/testing'
import { nodeSqlite } from './node-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-stores-'))
let opened = 0

const subjects: Readonly<Record<string, StoreSubject>> = {
  memory: { open: async () => memoryStores() },
  'a SQLite file': { open: async () => sqliteStores(join(folder, `${(opened += 1)}.db`)) },
  'a better-sqlite3 handle': { open: async () => sqliteStores(new Database(':memory:')) },
}

describe.each(Object.entries(subjects))('the stores of %s', (_name, subject) => {
  publishedCases(subject)
})

const reason = nodeSqlite === null ? ' (skipped: this Node has no node:sqlite)' : ''

describe.skipIf(nodeSqlite === null)(`the stores of a node:sqlite handle${reason}`, () => {
  publishedCases({
    async open() {
      if (nodeSqlite === null) throw new Error('this Node has no node:sqlite')
      return sqliteStores(new nodeSqlite.DatabaseSync(':memory:'))
    },
  })
})

describe('memory', () => {
  it('is shared by nobody: every call makes stores of its own', async () => {
    const [one, other] = [memoryStores(), memoryStores()]
    await one.attempts.reserve('key', 1000, 0)
    expect(await other.attempts.count('key', 0)).toBe(0)
  })
})

function publishedCases(subject: StoreSubject): void {
  for (const { name, run } of sessionStoreCases) it(`sessions: ${name}`, async () => run(subject))
  for (const { name, run } of attemptStoreCases) it(`attempts: ${name}`, async () => run(subject))
}

afterAll(() => {
  rmSync(folder, { recursive: true })
})
