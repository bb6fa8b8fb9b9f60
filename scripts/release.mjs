// Makes a release out of the current commit.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runOfCi, writeChecksums, writeProvenance, writeSbom } from './release/artifacts.mjs'
import { announces, nextVersion, unreleasedEntries, withVersion } from './release/changelog.mjs'
import { incompatibleTypes } from './release/public-types.mjs'
import { cloneOf, git, npm } from './release/source-tree.mjs'
import { lastRelease, openPoints, refusalsOf } from './release/state.mjs'

const FOLDER = join('build', 'release')
const HELP = `Usage: npm run release -- [--dry-run] [--version VERSION] [--against REF]

Makes the next release in ${FOLDER}, which is emptied, out of the current commit:

  1  refuses a dirty tree, a branch that lacks commits, an empty changelog, and a version that exists
  2  takes the version from the headings of "Unreleased" in CHANGELOG.md, by docs/support.md, "Versions"
  3  commits the version, its date in the changelog and a tag in a clone of the repository
  4  packs the clone, which builds it, and checks the tarball with publint and attw
  5  builds the last release, and refuses what is removed or incompatible in the public types unless the
     changelog names it, as code, under "Changed" or "Removed"
  6  writes a bill of materials (CycloneDX), the provenance (in-toto, not signed) and checksums
  7  takes the commit and the tag over into the repository, and prints the commands that publish them

  --dry-run          stops before 7: it writes nothing but what is built
  --version VERSION  this version in place of the one that follows from the changelog, such as 1.0.0
  --against REF      compares the types with this commit in place of the last release
  --help             shows this

A release publishes nothing. Before the first one, the version of package.json is taken as it is.
`

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    version: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** The reasons against a release, each with its remedy. */
class Refusal extends Error {}

if (values.help) process.stdout.write(HELP)
else {
  try {
    release()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

function release() {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const entries = readEntries(changelog)
  const last = lastRelease()
  const version = versionAfter(last, entries)
  refuse(refusalsOf(version, entries))
  const open = openPoints()
  if (!values['dry-run']) refuse(open)

  say(`version ${version}, after ${last ?? 'no release'}: ${countsOf(entries)}`)
  const { tree, commit } = commitInClone(version, changelog)
  say(`committed as ${commit.slice(0, 12)} in ${tree}; packing, which builds`)
  const tarball = pack(tree)
  compareTypes(values.against ?? (last && `v${last}`), tree, entries)
  const files = describe(tarball, tree, commit)
  for (const file of files) say(`wrote ${file}`)

  if (values['dry-run']) sayWhatRemains(version, tarball, open)
  else takeOver(tree, version, tarball)
}

function readEntries(changelog) {
  try {
    return unreleasedEntries(changelog)
  } catch (error) {
    throw new Refusal(error.message)
  }
}

function versionAfter(last, entries) {
  if (last === null) return values.version ?? readManifest('.').version
  const next = nextVersion(last, entries)
  const { version = next } = values
  if (!/^\d+\.\d+\.\d+$/.test(version) || compareVersions(version, next) < 0)
    throw new Refusal(
      `--version ${version} promises more than the changelog allows: take ${next} or a later one.`,
    )
  return version
}

function compareVersions(one, other) {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number))
  const index = left.findIndex((part, at) => part !== right[at])
  return index === -1 ? 0 : left[index] - right[index]
}

function commitInClone(version, changelog) {
  rmSync(FOLDER, { recursive: true, force: true })
  const tree = join(FOLDER, 'tree')
  cloneOf('HEAD', tree)
  const options = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  npm(tree, 'version', version, ...options, '--workspaces-update=false')
  writeFileSync(join(tree, 'CHANGELOG.md'), withVersion(changelog, version, new Date()))
  const author = ['name', 'email'].flatMap((key) => ['-c', `user.${key}=${authorOf(key)}`])
  const inClone = (...args) => git('-C', tree, ...author, ...args)
  inClone('commit', '--quiet', '--all', '--message', `release: publish version ${version}`)
  inClone('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
  return { tree, commit: inClone('rev-parse', 'HEAD') }
}

/** A clone does not have what is set in the repository alone. */
function authorOf(key) {
  const [, name = '', email = ''] = /^(.*) <(.*)> /.exec(git('var', 'GIT_COMMITTER_IDENT')) ?? []
  return key === 'name' ? name : email
}

function pack(tree) {
  const printed = npm(tree, 'pack', '--silent', '--pack-destination', '..')
  const tarball = join(FOLDER, printed.split('\n').at(-1))
  const check = fileURLToPath(new URL('check-package.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [check, tarball], { encoding: 'utf8' })
  if (status !== 0) throw new Refusal(`The tarball has problems:\n${stderr.trim()}`)
  return tarball
}

function compareTypes(ref, tree, entries) {
  if (ref === null)
    return say('no release to compare the public types with; --against REF names a commit')
  const before = join(FOLDER, 'before')
  cloneOf(ref, before)
  npm(before, 'run', 'build:code')
  const found = incompatibleTypes(before, tree, join(FOLDER, 'types'))
  const hidden = found.filter(({ name }) => !announces(entries, name))
  refuse(
    hidden.map(
      ({ entry, name, problem }) =>
        `${entry}: \`${name}\`: ${problem}. Name it in CHANGELOG.md under "Changed" or "Removed", or keep what ${ref} has.`,
    ),
  )
  say(`compared the public types with ${ref}: ${found.length} are incompatible, all announced`)
}

function describe(tarball, tree, commit) {
  const [sbom, provenance, checksums] = ['sbom.cdx.json', 'provenance.json', 'SHA256SUMS'].map(
    (name) => join(FOLDER, name),
  )
  const { repository } = readManifest(tree)
  writeSbom(tree, sbom)
  const builder = runOfCi() ?? 'urn:svc:npm-run-release-by-hand'
  writeProvenance(tarball, { repository: repository.url, commit, builder }, provenance)
  writeChecksums([tarball, sbom, provenance], checksums)
  return [tarball, sbom, provenance, checksums]
}

function sayWhatRemains(version, tarball, open) {
  const identity =
    runOfCi() === null
      ? 'npm signs the provenance only in a CI with an identity (id-token: write), which this is not'
      : `npm would sign the provenance as ${runOfCi()}`
  say(`dry run: nothing was committed or tagged here. A release would tag v${version}.`)
  say(`to publish: npm publish ${tarball} --provenance --access public (${identity})`)
  for (const point of open) say(`before a release: ${point}`)
}

function takeOver(tree, version, tarball) {
  git('fetch', '--quiet', tree, `refs/tags/v${version}:refs/tags/v${version}`)
  git('merge', '--quiet', '--ff-only', `v${version}`)
  say(`tagged v${version}. To publish:`)
  console.log(`  git push --follow-tags\n  npm publish ${tarball} --provenance --access public`)
}

function countsOf(entries) {
  return Object.entries(entries)
    .map(([heading, { length }]) => `${length} ${heading.toLowerCase()}`)
    .join(', ')
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function refuse(reasons) {
  if (reasons.length > 0) throw new Refusal(reasons.join('\n'))
}

function say(line) {
  console.log(`release: ${line}`)
}
