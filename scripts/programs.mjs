// The programs that tests need and npm does not bring.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'

/** Those of Debian, of what is built by hand, and of Homebrew. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin']
const FONTS = 'fonts-dejavu-core'

/**
 * @typedef {object} Program
 * @property {readonly string[]} files Of which one is enough.
 * @property {readonly string[]} packages Of Debian.
 * @property {readonly string[]} [elsewhere] Paths outside of the usual folders.
 * @property {string} [name] Default: that of the file.
 * @property {string} [variable] Of the environment: the path of another one. Default: `KEY_PATH`.
 */

/** @satisfies {Readonly<Record<string, Program>>} */
const PROGRAMS = {
  redis: {
    name: 'redis-server (6.2 or newer)',
    variable: 'REDIS_SERVER_PATH',
    files: ['redis-server'],
    packages: ['redis-server'],
  },
  mariadb: {
    variable: 'MARIADBD_PATH',
    files: ['mariadbd'],
    packages: ['mariadb-server-core'],
  },
  chromium: {
    name: 'Chromium',
    // The shell draws no window around a page, which takes two thirds of the work of a short test.
    files: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
    ],
    packages: ['chromium-headless-shell', FONTS],
    elsewhere: [
      '/opt/google/chrome/chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
  },
  firefox: {
    name: 'Firefox',
    files: ['firefox-esr', 'firefox'],
    packages: ['firefox-esr', FONTS],
    elsewhere: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  },
  nginx: { files: ['nginx'], packages: ['nginx-light'] },
  haproxy: { name: 'HAProxy', files: ['haproxy'], packages: ['haproxy'] },
  apache: { name: 'Apache', files: ['apache2'], packages: ['apache2'] },
  caddy: { name: 'Caddy', files: ['caddy'], packages: ['caddy'] },
  pgbouncer: { name: 'PgBouncer', files: ['pgbouncer'], packages: ['pgbouncer'] },
  cwebp: { files: ['cwebp'], packages: ['webp'] },
  img2webp: { files: ['img2webp'], packages: ['webp'] },
  openssl: { files: ['openssl'], packages: ['openssl'] },
  prometheus: { name: 'Prometheus', files: ['prometheus'], packages: ['prometheus'] },
  promtool: { files: ['promtool'], packages: ['prometheus'] },
  sqlite3: {
    files: ['sqlite3'],
    packages: ['sqlite3'],
    elsewhere: ['/opt/homebrew/opt/sqlite/bin/sqlite3'],
  },
  pgDump: {
    name: 'pg_dump, of the PostgreSQL that the tests start',
    variable: 'PG_DUMP_PATH',
    files: ['pg_dump'],
    packages: ['postgresql'],
  },
  mysql: {
    name: 'mysql and mysqldump, of MariaDB or MySQL',
    files: ['mysql'],
    packages: ['mariadb-client'],
  },
  curl: { files: ['curl'], packages: ['curl'] },
}

/** @typedef {keyof typeof PROGRAMS} ProgramName */

/**
 * Finds a program, or installs it.
 *
 * @param {ProgramName} name
 * @returns {string} Its path.
 * @throws as `ensurePrograms`
 */
export function ensureProgram(name) {
  ensurePrograms([name])
  return find(name)
}

/**
 * Installs the programs that are missing where no password is needed: as root, on Debian.
 *
 * @param {readonly ProgramName[]} names
 * @throws {Error} Some are missing; the message names all of them and says what to do.
 */
export function ensurePrograms(names) {
  const missing = missingOf(names)
  if (missing.length === 0) return
  if (!canInstall()) throw new Error(explanation(missing))
  try {
    install(packagesOf(missing))
  } catch (cause) {
    throw new Error(explanation(missing), { cause })
  }
  const left = missingOf(missing)
  if (left.length > 0) throw new Error(explanation(left))
}

/**
 * Returns the programs that are not installed.
 *
 * @param {readonly ProgramName[]} names
 * @returns {readonly ProgramName[]}
 * @throws {Error} A variable of the environment names something that cannot be run.
 */
export function missingOf(names) {
  return [...new Set(names)].filter((name) => find(name) === null)
}

/**
 * Returns the row of a program with its defaults.
 *
 * @param {ProgramName} key
 * @returns {Required<Program>}
 */
function programOf(key) {
  /** @type {Program} */
  const program = PROGRAMS[key]
  const variable = `${key.toUpperCase()}_PATH`
  return { name: program.files[0] ?? key, variable, elsewhere: [], ...program }
}

function find(key) {
  const { variable, files, elsewhere } = programOf(key)
  const places = files.flatMap((file) => FOLDERS.map((folder) => `${folder}/${file}`))
  const wanted = process.env[variable]
  if (wanted === undefined || wanted === '')
    return [...places, ...elsewhere].find(isExecutable) ?? null
  if (isExecutable(wanted)) return wanted
  throw new Error(`${variable} is ${wanted}, which is not a program that can be run.`)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function canInstall() {
  const isRoot = process.getuid?.() === 0
  return isRoot && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

function packagesOf(names) {
  return [...new Set(names.flatMap((name) => programOf(name).packages))]
}

function install(packages) {
  console.log(`programs: installing ${packages.join(', ')} with apt-get`)
  const started = performance.now()
  apt(['update', '-qq'])
  apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
  console.log(`programs: installed in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Test files that run at once wait for each other: apt-get fails where another one runs.
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('flock', ['/var/lib/apt', 'apt-get', ...args], options)
}

function explanation(missing) {
  const programs = missing.map(programOf)
  return [
    `Missing: ${programs.map(({ name }) => name).join(', ')}. The tests run against real ones and are never skipped.`,
    `Install them (Debian, Ubuntu: sudo apt-get install ${packagesOf(missing).join(' ')}),`,
    `or set ${programs.map(({ variable }) => variable).join(', ')} to the paths of installed ones.`,
  ].join('\n')
}
