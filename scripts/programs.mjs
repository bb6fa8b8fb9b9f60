// The programs that tests need and npm does not bring.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} variable Of the environment: the path of another one.
 * @property {readonly string[]} packages Of Debian.
 * @property {readonly string[]} places
 */

const FONTS = 'fonts-dejavu-core'

/** @satisfies {Readonly<Record<string, Program>>} */
export const PROGRAMS = {
  redis: {
    name: 'redis-server (6.2 or newer)',
    variable: 'REDIS_SERVER_PATH',
    packages: ['redis-server'],
    places: [
      '/usr/bin/redis-server',
      '/usr/local/bin/redis-server',
      '/opt/homebrew/bin/redis-server',
    ],
  },
  mariadb: {
    name: 'mariadbd',
    variable: 'MARIADBD_PATH',
    packages: ['mariadb-server-core'],
    places: [
      '/usr/sbin/mariadbd',
      '/usr/local/sbin/mariadbd',
      '/usr/local/bin/mariadbd',
      '/opt/homebrew/bin/mariadbd',
    ],
  },
  chromium: {
    name: 'Chromium',
    variable: 'CHROMIUM_PATH',
    packages: ['chromium', FONTS],
    places: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/opt/google/chrome/chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
  },
  firefox: {
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    packages: ['firefox-esr', FONTS],
    places: [
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
    ],
  },
  nginx: {
    name: 'nginx',
    variable: 'NGINX_PATH',
    packages: ['nginx-light'],
    places: ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
  },
  haproxy: {
    name: 'HAProxy',
    variable: 'HAPROXY_PATH',
    packages: ['haproxy'],
    places: ['/usr/sbin/haproxy', '/usr/local/bin/haproxy', '/opt/homebrew/bin/haproxy'],
  },
  pgbouncer: {
    name: 'PgBouncer',
    variable: 'PGBOUNCER_PATH',
    packages: ['pgbouncer'],
    places: ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
  },
  cwebp: {
    name: 'cwebp',
    variable: 'CWEBP_PATH',
    packages: ['webp'],
    places: ['/usr/bin/cwebp', '/opt/homebrew/bin/cwebp'],
  },
  img2webp: {
    name: 'img2webp',
    variable: 'IMG2WEBP_PATH',
    packages: ['webp'],
    places: ['/usr/bin/img2webp', '/opt/homebrew/bin/img2webp'],
  },
  openssl: {
    name: 'openssl',
    variable: 'OPENSSL_PATH',
    packages: ['openssl'],
    places: ['/usr/bin/openssl', '/opt/homebrew/bin/openssl'],
  },
  prometheus: {
    name: 'Prometheus',
    variable: 'PROMETHEUS_PATH',
    packages: ['prometheus'],
    places: ['/usr/bin/prometheus', '/usr/local/bin/prometheus', '/opt/homebrew/bin/prometheus'],
  },
  promtool: {
    name: 'promtool',
    variable: 'PROMTOOL_PATH',
    packages: ['prometheus'],
    places: ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'],
  },
  sqlite3: {
    name: 'sqlite3',
    variable: 'SQLITE3_PATH',
    packages: ['sqlite3'],
    places: ['/usr/bin/sqlite3', '/opt/homebrew/opt/sqlite/bin/sqlite3'],
  },
  pgDump: {
    name: 'pg_dump, of the PostgreSQL that the tests start',
    variable: 'PG_DUMP_PATH',
    packages: ['postgresql'],
    places: ['/usr/bin/pg_dump', '/usr/local/bin/pg_dump', '/opt/homebrew/bin/pg_dump'],
  },
  mysql: {
    name: 'mysql and mysqldump, of MariaDB or MySQL',
    variable: 'MYSQL_PATH',
    packages: ['mariadb-client'],
    places: ['/usr/bin/mysql', '/usr/local/bin/mysql', '/opt/homebrew/bin/mysql'],
  },
  curl: {
    name: 'curl',
    variable: 'CURL_PATH',
    packages: ['curl'],
    places: ['/usr/bin/curl', '/opt/homebrew/bin/curl'],
  },
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

function find(name) {
  const { variable, places } = PROGRAMS[name]
  const wanted = process.env[variable]
  if (wanted === undefined || wanted === '') return places.find(isExecutable) ?? null
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
  return [...new Set(names.flatMap((name) => PROGRAMS[name].packages))]
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
  execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function explanation(missing) {
  const programs = missing.map((name) => PROGRAMS[name])
  return [
    `Missing: ${programs.map(({ name }) => name).join(', ')}. The tests run against real ones and are never skipped.`,
    `Install them (Debian, Ubuntu: sudo apt-get install ${packagesOf(missing).join(' ')}),`,
    `or set ${programs.map(({ variable }) => variable).join(', ')} to the paths of installed ones.`,
  ].join('\n')
}
