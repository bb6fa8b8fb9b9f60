import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packTarball } from '../support/packed.ts'

const PANEL = [
  'express@4.18.2',
  'react@18.2.0',
  'react-dom@18.2.0',
  'adminjs@7.8.17',
  '@adminjs/express@6.1.1',
]

it('npm installs the package beside an existing panel', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-beside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tarball = packTarball(folder)
  const npm = (...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  npm('init', '-y')
  expect(npm('install', '--dry-run', tarball, ...PANEL)).toContain('added')
})
