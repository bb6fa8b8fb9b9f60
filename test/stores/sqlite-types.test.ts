import type { Statement } from 'better-sqlite3'
import { expectTypeOf, it } from 'vitest'
import type { SqliteHandle } from '@svc/auth/sqlite'

// An object stands for `{}`, and null fits neither. test/long/typescript.long.test.ts has that compiler.
it('a Database of better-sqlite3 is a handle for TypeScript before 6, to which its statements bind {}', () => {
  type OfOlderCompilers = Statement<[object]> | Statement
  expectTypeOf<OfOlderCompilers>().toExtend<ReturnType<SqliteHandle['prepare']>>()
})
