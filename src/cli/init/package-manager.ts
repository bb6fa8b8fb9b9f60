import { existsSync } from 'node:fs'

/** The commands of the package manager that an application uses. */
export interface PackageManager {
  /** Returns the command that installs packages, and builds better-sqlite3 if it is one of them. */
  readonly add: (names: readonly string[]) => string
  readonly addForDevelopment: (names: readonly string[]) => string
  /** Runs `svc`. npx refuses an application that `pnpm init` has written. */
  readonly svc: string
}

const npm: PackageManager = {
  add: (names) =>
    `${isBuilt(names) ? 'npm pkg set allowScripts.better-sqlite3=true --json && ' : ''}npm install ${listOf(names)}`,
  addForDevelopment: (names) => `npm install --save-dev ${listOf(names)}`,
  svc: 'npx svc',
}

const pnpm: PackageManager = {
  add: (names) =>
    `pnpm add ${isBuilt(names) ? '--allow-build=better-sqlite3 ' : ''}${listOf(names)}`,
  addForDevelopment: (names) => `pnpm add --save-dev ${listOf(names)}`,
  svc: 'pnpm exec svc',
}

/** Returns the package manager that runs this process or has written the lock file. */
export function packageManager(): PackageManager {
  const agent = process.env['npm_config_user_agent'] ?? ''
  return agent.startsWith('pnpm/') || existsSync('pnpm-lock.yaml') ? pnpm : npm
}

function isBuilt(names: readonly string[]): boolean {
  return names.includes('better-sqlite3')
}

/** Names the release of better-sqlite3: only Node 20 needs it, and pnpm would install 13. */
function listOf(names: readonly string[]): string {
  return names.map((name) => (name === 'better-sqlite3' ? `${name}@12` : name)).join(' ')
}
