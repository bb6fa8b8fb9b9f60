import { filesAround, npmWorkspaceRoot } from './workspace.ts'

const npm = {
  /** Returns the command that installs packages, and builds better-sqlite3 if it is one of them. */
  add: (names: readonly string[]) =>
    `${isBuilt(names) ? `${allowing()} && ` : ''}npm install ${listOf(names)}`,
  addForDevelopment: (names: readonly string[]) => `npm install --save-dev ${listOf(names)}`,
  /** Runs a program of a package. npx refuses an application that `pnpm init` has written. */
  run: 'npx',
}

const pnpm: typeof npm = {
  add: (names) =>
    `pnpm add ${isBuilt(names) ? '--allow-build=better-sqlite3 ' : ''}${listOf(names)}`,
  addForDevelopment: (names) => `pnpm add --save-dev ${listOf(names)}`,
  run: 'pnpm exec',
}

/** Returns the commands of the package manager that runs this process or wrote the lock file. */
export function packageManager() {
  const agent = process.env['npm_config_user_agent'] ?? ''
  return agent.startsWith('pnpm/') || filesAround('pnpm-lock.yaml').length > 0 ? pnpm : npm
}

/** Returns the command that lets npm 12 build better-sqlite3, which only the root can. */
function allowing(): string {
  const root = npmWorkspaceRoot()
  return `npm ${root === null ? '' : `--prefix ${root} `}pkg set allowScripts.better-sqlite3=true --json`
}

function isBuilt(names: readonly string[]): boolean {
  return names.includes('better-sqlite3')
}

/** Names the release of better-sqlite3: only Node 20 needs it, and pnpm would install 13. */
function listOf(names: readonly string[]): string {
  return names.map((name) => (name === 'better-sqlite3' ? `${name}@12` : name)).join(' ')
}
