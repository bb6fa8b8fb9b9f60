import { describe, expect, it } from 'vitest'
import { nextVersion } from '../../scripts/release/changelog.mjs'
import { changelogWith, Repository } from './repository.ts'

describe('npm run release refuses', () => {
  it('a working tree with a change that is not committed', () => {
    const repository = new Repository()
    repository.write({ 'notes.txt': 'later' })
    const { status, stderr } = repository.release('--dry-run')
    expect(stderr).toBe(
      'The working tree has 1 changes that are not committed (?? notes.txt): commit them, or remove them.\n',
    )
    expect(status).toBe(1)
  })

  it('a changelog without an entry', () => {
    const repository = new Repository()
    repository.write({ 'CHANGELOG.md': changelogWith('### Added\n') })
    repository.commit('empty the changelog')
    expect(repository.release('--dry-run').stderr).toBe(
      'CHANGELOG.md has no entry below "Unreleased": write there what changes for hosts.\n',
    )
  })

  it('a changelog with a heading that decides no version', () => {
    const repository = new Repository()
    repository.write({ 'CHANGELOG.md': changelogWith('### Improved\n\n- The lamp.') })
    repository.commit('write a heading')
    expect(repository.release('--dry-run').stderr).toBe(
      'CHANGELOG.md has a heading "Improved": use one of Added, Changed, Fixed, Removed, Security.\n',
    )
  })

  it('a version that is the tag of another branch', () => {
    const repository = new Repository()
    repository.git('checkout', '--quiet', '-b', 'other')
    repository.commit('work elsewhere')
    repository.git('tag', 'v0.3.0')
    repository.git('checkout', '--quiet', 'main')
    const { status, stderr } = repository.release('--dry-run')
    expect(stderr).toContain('The version 0.3.0 exists as the tag v0.3.0')
    expect(stderr).toContain('merge it, or choose another one with --version')
    expect(status).toBe(1)
  })

  it('a branch whose upstream has a commit that was never fetched', () => {
    const repository = new Repository()
    const remote = repository.addRemote()
    const other = `${repository.folder}-other`
    repository.git('clone', '--quiet', remote, other)
    repository.git('-C', other, 'commit', '--quiet', '--allow-empty', '--message', 'be first')
    repository.git('-C', other, 'push', '--quiet')
    expect(repository.release('--dry-run').stderr).toBe(
      'The branch lacks commits of origin/main: run git pull --rebase, and test again.\n',
    )
  })

  it('a version below the one that the changelog asks for', () => {
    const repository = new Repository()
    repository.git('tag', 'v0.3.0')
    repository.write({ 'CHANGELOG.md': changelogWith('### Removed\n\n- `light`.') })
    repository.commit('remove')
    expect(repository.release('--dry-run', '--version', '0.3.1').stderr).toBe(
      '--version 0.3.1 promises more than the changelog allows: take 0.4.0 or a later one.\n',
    )
  })

  it('publishing under addresses that are placeholders, or from a branch that follows no other', () => {
    const repository = new Repository()
    repository.write({
      'package.json': repository
        .git('show', 'HEAD:package.json')
        .replaceAll('acme.dev', 'svc.example'),
    })
    repository.commit('use placeholders')
    const { status, stderr } = repository.release()
    expect(stderr).toContain('Set homepage, repository and bugs to the real addresses')
    expect(stderr).toContain('run git push --set-upstream')
    expect(status).toBe(1)
  })
})

describe('The version that follows from the headings of the changelog', () => {
  const entry = ['one']
  it.each([
    ['a fix of 0.3.1', '0.3.1', { Fixed: entry }, '0.3.2'],
    ['an addition to 0.3.1', '0.3.1', { Added: entry, Fixed: entry }, '0.3.2'],
    ['a change of 0.3.1', '0.3.1', { Added: entry, Changed: entry }, '0.4.0'],
    ['a removal from 0.9.4', '0.9.4', { Removed: entry }, '0.10.0'],
    ['a fix of 1.2.3', '1.2.3', { Security: entry }, '1.2.4'],
    ['an addition to 1.2.3', '1.2.3', { Added: entry }, '1.3.0'],
    ['a change of 1.2.3', '1.2.3', { Changed: entry, Removed: [] }, '2.0.0'],
    ['a heading without an entry in 1.2.3', '1.2.3', { Removed: [], Fixed: entry }, '1.2.4'],
  ])('is the next one after %s', (_what, last, entries, next) => {
    expect(nextVersion(last, entries)).toBe(next)
  })
})
