import type { TestProject } from 'vitest/node'
import { ensurePrograms, missingOf } from '../../scripts/programs.mjs'
import type { ProgramName } from '../../scripts/programs.mjs'

const DATABASES: readonly ProgramName[] = ['mariadb', 'redis']

/** The programs that each project needs; `react` and `preact` need none. */
const NEEDS: Readonly<Record<string, readonly ProgramName[]>> = {
  unit: DATABASES,
  mysql: DATABASES,
  // The browsers of the long lane meet nodes, too.
  browser: process.env['TEST_LONG'] === undefined ? ['chromium'] : ['chromium', 'redis'],
  pictures: ['chromium'],
  firefox: ['firefox'],
}

/** Installs or names at once what the whole run needs, before the first server starts. */
export function setup({ vitest }: TestProject): void {
  const names = vitest.projects.map(({ name }) => name)
  try {
    ensurePrograms(names.flatMap(needsOf))
  } catch (cause) {
    throw new Error(`${messageOf(cause)}${remedy(names)}`, { cause })
  }
}

function needsOf(project: string): readonly ProgramName[] {
  return NEEDS[project] ?? []
}

function remedy(projects: readonly string[]): string {
  const ready = projects.filter((name) => missingOf(needsOf(name)).length === 0)
  if (ready.length === 0) return ''
  const options = ready.map((name) => `--project ${name}`).join(' ')
  return `\nThese tests need nothing more:  npm test -- ${options}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
