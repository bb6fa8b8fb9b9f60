// Says what stands against a release: what must be mended at once, and what before it is published.
import { spawnSync } from 'node:child_process'
import { git } from './source-tree.mjs'

/** Returns the version of the last release that the current commit contains, or null. */
export function lastRelease() {
  const tag = gitOrNull('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')
  return tag?.slice(1) ?? null
}

/**
 * Returns a sentence with its remedy for each reason against a release.
 *
 * @param {string} version
 * @param {Readonly<Record<string, readonly string[]>>} entries Of the changelog.
 */
export function refusalsOf(version, entries) {
  const changed = git('status', '--porcelain').split('\n').filter(Boolean)
  return [
    changed.length > 0 &&
      `The working tree has ${changed.length} changes that are not committed (${changed[0].trim()}): commit them, or remove them.`,
    isBehind() &&
      `The branch lacks commits of ${upstream()?.name}: run git pull --rebase, and test again.`,
    Object.values(entries).flat().length === 0 &&
      'CHANGELOG.md has no entry below "Unreleased": write there what changes for hosts.',
    gitOrNull('rev-parse', '--verify', '--quiet', `refs/tags/v${version}`) !== null &&
      `The version ${version} exists as the tag v${version}, which this branch does not contain: merge it, or choose another one with --version.`,
  ].filter((refusal) => refusal !== false)
}

/** Returns what does not matter to a dry run, and stops a release. */
export function openPoints() {
  const placeholders = spawnSync(process.execPath, [CHECK_RELEASE], { encoding: 'utf8' }).stderr
  return [
    placeholders.trim(),
    upstream() === null &&
      'The branch follows no other one, so that nothing says whether it lacks commits: run git push --set-upstream.',
  ].filter((point) => point !== false && point !== '')
}

const CHECK_RELEASE = new URL('../check-release.mjs', import.meta.url).pathname

/** Asks the remote itself, without writing what it answers. */
function isBehind() {
  const { remote, branch } = upstream() ?? {}
  if (remote === undefined) return false
  const [commit = ''] = git('ls-remote', remote, branch).split('\t')
  // A commit that this repository does not have is a commit that the branch lacks.
  return commit !== '' && gitOrNull('merge-base', '--is-ancestor', commit, 'HEAD') === null
}

function upstream() {
  const branch = gitOrNull('symbolic-ref', '--quiet', '--short', 'HEAD')
  const remote = branch && gitOrNull('config', `branch.${branch}.remote`)
  const merge = branch && gitOrNull('config', `branch.${branch}.merge`)
  if (remote === null || merge === null) return null
  return { remote, branch: merge, name: `${remote}/${merge.replace('refs/heads/', '')}` }
}

function gitOrNull(...args) {
  try {
    return git(...args)
  } catch {
    return null
  }
}
