// Writes what lies beside the tarball of a release.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LICENSES_FILE, packagesIn } from '../bundled-licenses.mjs'
import { npm } from './source-tree.mjs'

/**
 * Writes the bill of materials in CycloneDX: the packages that a host installs, from the lock file, and those
 * whose code is in the bundles.
 *
 * @param {string} tree The folder of the package, built.
 * @param {string} file
 */
export function writeSbom(tree, file) {
  const { name } = readJson(join(tree, 'package.json'))
  const args = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--workspaces=false']
  const { metadata, components, dependencies, ...sbom } = JSON.parse(npm(tree, 'sbom', ...args))
  // `--omit dev` also leaves out packages that something of the tests names as its peer.
  const [installed, bundled] = [installedIn(tree), bundledIn(tree)]
  const isIn = (set) => (one) => set.has(`${one.name} ${one.version}`)
  const ofBundles = components.filter(isIn(bundled)).map((one) => Object.assign(one, BUNDLED))
  const copied = [...bundled].filter((one) => !components.some(isIn(new Set([one])))).map(copiedOf)
  const shipped = new Set([...components.filter(isIn(installed)), ...ofBundles, ...copied])
  const refs = new Set([metadata.component, ...shipped].map((one) => one['bom-ref']))
  const isShipped = (ref) => refs.has(ref)
  // npm takes the name of the folder.
  metadata.component.name = name
  const written = {
    ...sbom,
    metadata,
    components: [...shipped],
    dependencies: dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  }
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** Returns the component of a package that is copied into the sources. */
function copiedOf(one) {
  const [name, version] = one.split(' ')
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl, ...BUNDLED }
}

const BUNDLED = {
  scope: 'required',
  properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
}

/** Returns `name version` of each package that npm installs with this one, those of other systems included. */
function installedIn(tree) {
  const { packages } = readJson(join(tree, 'package-lock.json'))
  const isOfHost = ([path, { dev, devOptional, peer, link }]) =>
    path !== '' && ![dev, devOptional, peer, link].includes(true)
  return new Set(
    Object.entries(packages)
      .filter(isOfHost)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`),
  )
}

/** Returns `name version` of each package whose license the build has written beside the code. */
function bundledIn(tree) {
  const dist = join(tree, 'dist')
  const files = existsSync(dist) ? readdirSync(dist, { recursive: true }) : []
  return new Set(
    files
      .filter((file) => basename(file) === LICENSES_FILE)
      .flatMap((file) => packagesIn(readFileSync(join(dist, file), 'utf8'))),
  )
}

/**
 * Writes where the tarball comes from, as a statement of in-toto with the predicate of SLSA. Nobody signs it:
 * it helps to find the commit, and proves nothing to a stranger. What npm signs with `--provenance` does.
 *
 * @param {string} tarball
 * @param {{ repository: string, commit: string, builder: string }} source
 * @param {string} file
 */
export function writeProvenance(tarball, { repository, commit, builder }, file) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(tarball), digest: { sha256: digestOf(tarball, 'sha256') } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://docs.npmjs.com/cli/commands/npm-pack',
        externalParameters: { command: 'npm pack', repository },
        internalParameters: { node: process.version, platform: process.platform },
        resolvedDependencies: [{ uri: repository, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: builder } },
    },
  }
  writeFileSync(file, `${JSON.stringify(statement, null, 2)}\n`)
}

/** Returns the run of a CI that npm can name in a signed provenance, or null. */
export function runOfCi({ env } = process) {
  if (env.GITHUB_ACTIONS === 'true' && env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined)
    return `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
  if (env.GITLAB_CI === 'true' && env.SIGSTORE_ID_TOKEN !== undefined) return env.CI_JOB_URL
  return null
}

/** Writes the checksums of files, as `sha256sum --check` reads them. */
export function writeChecksums(files, file) {
  const lines = files.map((one) => `${digestOf(one, 'sha256')}  ${basename(one)}\n`)
  writeFileSync(file, lines.join(''))
}

function digestOf(file, algorithm) {
  return createHash(algorithm).update(readFileSync(file)).digest('hex')
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
