import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('publint and attw find nothing in the packed package', { timeout: 180_000 }, () => {
  const { stderr, status } = spawnSync(process.execPath, ['scripts/check-package.mjs'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
