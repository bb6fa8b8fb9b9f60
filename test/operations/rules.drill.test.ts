import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ensureProgram } from '../../scripts/programs.mjs'
import { RULES } from './alerts.ts'

const run = (...args: readonly string[]): string =>
  execFileSync(ensureProgram('promtool'), args, { encoding: 'utf8' })

describe('The rules of the alerts', () => {
  it('are valid for Prometheus', () => {
    expect(run('check', 'rules', RULES)).toContain('SUCCESS')
  })

  it('fire for an outage, and not for a quiet night or a slow bus', () => {
    expect(run('test', 'rules', 'test/operations/rules.promtool.yml')).toContain('SUCCESS')
  })
})
