import { filesAround, npmWorkspaceRoot } from './workspace.ts'

/** The commands of a package manager. */
export interface PackageManager {
  /** Returns the command that installs packages, and builds better-sqlite3 if it is one of them. */
  readonly add: (names: readonly string[]) => string
  readonly addForDevelopment: (names: readonly string[]) => string
  /**
   * Runs a program of a package. npx refuses an application that `pnpm init` has written, and
   * fetches a package of another author where Yarn keeps packages without node_modules.
   */
  readonly run: string
  /** Runs Node, which finds the packages. */
  readonly node: string
}

const npm: PackageManager = {
  add: (names) =>
    `${isBuilt(names) ? `${setting('allowScripts.better-sqlite3')} && ` : ''}npm install ${listOf(names)}`,
  addForDevelopment: (names) => `npm install --save-dev ${listOf(names)}`,
  run: 'npx',
  node: 'node',
}

const pnpm: PackageManager = {
  add: (names) => `pnpm add ${allowedBuilds(names)}${listOf(names)}`,
  addForDevelopment: (names) => `pnpm add ${allowedBuilds(names)}--save-dev ${listOf(names)}`,
  run: 'pnpm exec',
  node: 'node',
}

const yarn: PackageManager = {
  add: (names) =>
    `${isBuilt(names) ? `${setting('dependenciesMeta.better-sqlite3.built')} && ` : ''}yarn add ${listOf(names)}`,
  addForDevelopment: (names) => `yarn add --dev ${listOf(names)}`,
  run: 'yarn',
  node: 'yarn node',
}

/** Returns the commands of the package manager that runs this process or wrote the lock file. */
export function packageManager(): PackageManager {
  const agent = process.env['npm_config_user_agent'] ?? ''
  const isIn = (name: string, lockFile: string): boolean =>
    agent.startsWith(`${name}/`) || filesAround(lockFile).length > 0
  if (isIn('pnpm', 'pnpm-lock.yaml')) return pnpm
  return isIn('yarn', 'yarn.lock') ? yarn : npm
}

/** Returns the command that allows a build, which only the root of a workspace can. */
function setting(name: string): string {
  const root = npmWorkspaceRoot()
  return `npm ${root === null ? '' : `--prefix ${root} `}pkg set ${name}=true --json`
}

function isBuilt(names: readonly string[]): boolean {
  return names.includes('better-sqlite3')
}

/** The package that is built for another one. From 11 on, pnpm fails where that is not allowed. */
const BUILT: Readonly<Record<string, string>> = {
  'better-sqlite3': 'better-sqlite3',
  tsx: 'esbuild',
}

function allowedBuilds(names: readonly string[]): string {
  const built = names.flatMap((name) => BUILT[name] ?? [])
  return built.map((name) => `--allow-build=${name} `).join('')
}

/** Names the release of better-sqlite3: only Node 20 needs it, and others would install 13. */
function listOf(names: readonly string[]): string {
  return names.map((name) => (name === 'better-sqlite3' ? `${name}@12` : name)).join(' ')
}
