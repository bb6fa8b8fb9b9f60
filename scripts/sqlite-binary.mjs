// No dependencies: this runs before node_modules exists.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathsOfRoot } from './lock-file.mjs'
import { temporaryFolder } from './temporary-folder.mjs'

const NAME = 'better-sqlite3'
/** Each with its other names, of which one is enough. */
const COMPILERS = [
  ['python3', 'python'],
  ['make', 'gmake'],
  ['g++', 'c++', 'clang++'],
]
const BINARY = `node_modules/${NAME}/build/Release/better_sqlite3.node`

/**
 * Returns a file of the compiled better-sqlite3. Compiles it in a project of its own, so that npm can
 * install the other packages meanwhile, and keeps it beside the cache of npm, for other clones.
 *
 * @param {{ readonly CFLAGS?: string }} settings Settings of the compiler.
 * @param {(folder: string, ...args: readonly string[]) => Promise<void>} npm
 * @returns {Promise<string>}
 * @throws {Error} It could not be compiled.
 */
export async function sqliteBinary(settings, npm) {
  const { packages, lockfileVersion } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const folder = folderFor(packages[`node_modules/${NAME}`], settings)
  const kept = findKept(folder)
  if (kept !== null) return kept
  const project = temporaryFolder('sqlite')
  writeProject(project, { packages, lockfileVersion })
  await npm(project, 'ci', '--no-audit', '--no-fund').catch((cause) => {
    throw failure(cause)
  })
  return keep(join(project, BINARY), folder)
}

/** npm says in the middle of 90 lines that a compiler is missing, or does not name it. */
function failure(cause) {
  const missing = COMPILERS.filter((names) => !names.some(isInPath)).map(([usual]) => usual)
  const lines =
    missing.length === 0
      ? ['better-sqlite3 could not be compiled; the lines of npm above say why.']
      : [
          `better-sqlite3 could be neither fetched nor compiled: this machine lacks ${missing.join(', ')}.`,
          `Install what is missing (Debian, Ubuntu: sudo apt-get install ${missing.join(' ')}; macOS: xcode-select --install),`,
          'or use Node 22.13 or newer, where `npm start` compiles nothing.',
        ]
  return new Error(lines.join('\n'), { cause })
}

function isInPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) =>
    existsSync(join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
  )
}

/** Returns the folder for the binaries that may replace each other. */
function folderFor({ version, integrity }, { CFLAGS }) {
  const { modules } = process.versions
  const { glibcVersionRuntime } = process.report.getReport().header
  const inputs = JSON.stringify([integrity, CFLAGS, process.env.CXXFLAGS, glibcVersionRuntime])
  const key = createHash('sha256').update(inputs).digest('hex').slice(0, 16)
  const name = `${NAME}-${version}-${modules}-${process.platform}-${process.arch}-${key}`
  return join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_svc-auth', name)
}

/** Finds a binary that is what it was when it was kept: its name is the hash of its bytes. */
function findKept(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const whole = names.find((name) => name === nameOf(join(folder, name)))
  return whole === undefined ? null : join(folder, whole)
}

function nameOf(file) {
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')}.node`
}

/** Writes a project with better-sqlite3 and its dependencies, as the lock file has them. */
function writeProject(project, { packages, lockfileVersion }) {
  const { version } = packages[`node_modules/${NAME}`]
  const root = { dependencies: { [NAME]: version } }
  const paths = [...pathsOfRoot({ ...packages, '': root })]
  const entries = paths.map((path) => [path, { ...packages[path], dev: false }])
  const locked = { lockfileVersion, packages: { '': root, ...Object.fromEntries(entries) } }
  const manifest = { private: true, ...root, allowScripts: { [NAME]: true } }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(locked))
}

function keep(binary, folder) {
  if (!existsSync(binary)) throw new Error(`npm has not run the install script of ${NAME}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, nameOf(binary))
  // Another start may look for it at this moment.
  const partial = `${file}.${process.pid}`
  copyFileSync(binary, partial)
  renameSync(partial, file)
  return file
}
