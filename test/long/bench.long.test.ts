import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('the bench gets the answers that it measures', { timeout: 180_000 }, () => {
  // The speed depends on what else this machine does, so the code of the process may be 1.
  const shortly = ['--rounds', '1', '--seconds', '1', '--now']
  const { stdout } = spawnSync(process.execPath, ['bench/run.mjs', ...shortly], {
    encoding: 'utf8',
    timeout: 170_000,
  })
  expect(stdout).toMatch(/@svc\/auth, reference panel, SQLite \| \d+\.\d\d/)
  expect(stdout).toContain('met      0 answers that were not the expected ones')
  expect(stdout).toContain('met      1 × SELECT people, 1 × SELECT svc_sessions for each request')
})
