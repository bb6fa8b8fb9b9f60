import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeSbom } from '../../scripts/release/artifacts.mjs'
import { changelogWith, Repository } from './repository.ts'

const TODAY = new Date().toISOString().slice(0, 10)
const WAIT = { timeout: 180_000 }

describe('npm run release -- --dry-run', () => {
  const repository = new Repository()
  const built = (name: string) => join(repository.folder, 'build', 'release', name)
  let before = ''
  let run = repository.release('--help')

  beforeAll(() => {
    before = stateOf(repository)
    run = repository.release('--dry-run')
  }, WAIT.timeout)

  it('takes the version of package.json where nothing has been released', () => {
    expect(run.stderr).toBe('')
    expect(run.stdout).toContain('version 0.3.0, after no release: 1 added')
  })

  it('packs the commit with the date of the version in its changelog', () => {
    const files = execFileSync('tar', ['-tzf', built('acme-lamp-0.3.0.tgz')], { encoding: 'utf8' })
    expect(files.trim().split('\n').toSorted()).toEqual(
      ['dist/index.d.ts', 'dist/index.js', 'package.json'].map((file) => `package/${file}`),
    )
    expect(readFileSync(join(built('tree'), 'CHANGELOG.md'), 'utf8')).toContain(
      `## Unreleased\n\n## 0.3.0 (${TODAY})\n\n### Added\n`,
    )
  })

  it('names the commit and the digest of the tarball in the provenance', () => {
    const commit = repository.git('-C', built('tree'), 'rev-parse', 'v0.3.0^{commit}').trim()
    const { subject, predicate } = JSON.parse(readFileSync(built('provenance.json'), 'utf8'))
    expect(subject).toEqual([
      { name: 'acme-lamp-0.3.0.tgz', digest: { sha256: digestOf(built('acme-lamp-0.3.0.tgz')) } },
    ])
    expect(predicate.buildDefinition.resolvedDependencies).toEqual([
      { uri: 'git+https://git.acme.dev/lamp.git', digest: { gitCommit: commit } },
    ])
  })

  it('writes checksums that sha256sum accepts', () => {
    const options = { cwd: built('.'), encoding: 'utf8' } as const
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], options)
    expect(checked).toBe('acme-lamp-0.3.0.tgz: OK\nsbom.cdx.json: OK\nprovenance.json: OK\n')
  })

  it('says that no CI signs, and what stands against publishing', () => {
    expect(run.stdout).toContain('npm signs the provenance only in a CI with an identity')
    expect(run.stdout).toContain('before a release: The branch follows no other one')
  })

  it('changes no file, commit, branch or tag of the repository', () => {
    expect(stateOf(repository)).toBe(before)
  })
})

describe('npm run release', () => {
  it('commits and tags the version, and the next one follows from it', WAIT, () => {
    const repository = new Repository()
    repository.addRemote()
    expect(repository.release().stderr).toBe('')
    expect(repository.git('describe', '--tags').trim()).toBe('v0.3.0')
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('release: publish version 0.3.0')

    const changelog = repository.git('show', 'HEAD:CHANGELOG.md')
    repository.write({
      'CHANGELOG.md': changelog.replace(
        '## Unreleased\n',
        '## Unreleased\n\n### Fixed\n\n- The lamp.\n',
      ),
    })
    repository.commit('mend the lamp')
    expect(repository.release().stderr).toBe('')
    expect(JSON.parse(repository.git('show', 'v0.3.1:package.json')).version).toBe('0.3.1')
    expect(repository.git('show', 'v0.3.1:CHANGELOG.md')).toMatch(
      /## Unreleased\n\n## 0\.3\.1 \(.*\)\n\n### Fixed\n\n- The lamp\.\n\n## 0\.3\.0 \(/,
    )
    expect(repository.git('status', '--porcelain')).toBe('')
  })

  it(
    'refuses an export that is removed in silence, and releases it once it is announced',
    WAIT,
    () => {
      const repository = new Repository()
      repository.git('tag', 'v0.3.0')
      repository.write({ 'lib/index.d.ts': 'export declare function glow(): void;\n' })
      repository.write({ 'CHANGELOG.md': changelogWith('### Changed\n\n- The lamp glows.') })
      repository.commit('glow')
      const { status, stderr } = repository.release('--dry-run')
      expect(stderr).toBe(
        '@acme/lamp: `light`: it is removed. Name it in CHANGELOG.md under "Changed" or "Removed", or keep what v0.3.0 has.\n',
      )
      expect(status).toBe(1)

      repository.write({
        'CHANGELOG.md': changelogWith('### Removed\n\n- `light()`: the lamp glows.'),
      })
      repository.commit('announce it')
      expect(repository.release('--dry-run').stdout).toContain('1 are incompatible, all announced')
    },
  )
})

it(
  'the bill of materials has what a host installs and what is bundled, and nothing of the tests',
  WAIT,
  () => {
    const file = join(new Repository().folder, 'sbom.json')
    writeSbom('.', file)
    const { metadata, components } = JSON.parse(readFileSync(file, 'utf8'))
    const names = components.map(({ name }: { readonly name: string }) => name)
    expect(metadata.component.name).toBe('@svc/auth')
    expect(names).toEqual(
      expect.arrayContaining([
        '@node-rs/argon2',
        'valibot',
        'ipaddr.js',
        'commander',
        'preact',
        '@zxcvbn-ts/language-common',
      ]),
    )
    expect(names.filter((name: string) => /vite|oxlint|\breact|pg$/.test(name))).toEqual([])
  },
)

function stateOf(repository: Repository): string {
  return [['rev-parse', 'HEAD'], ['for-each-ref'], ['status', '--porcelain', '--ignored=no']]
    .map((args) => repository.git(...args))
    .join('\n')
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
