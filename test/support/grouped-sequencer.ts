import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Slow files come first, and then the larger ones, so that none runs on alone, and files of one
 * project and environment together, because a worker runs the next file only if it has the same,
 * and then keeps its modules.
 */
export class GroupedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
      .map(sourceOf)
      .toSorted((one, other) => other.size - one.size)
      .toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)))
      .toSorted((one, other) => workerOf(one).localeCompare(workerOf(other)))
      .map(({ file }) => file)
  }
}

interface Source {
  readonly file: TestSpecification
  readonly text: string
  /** The length of the file and of what it imports from its folder, such as the cases of a suite. */
  readonly size: number
}

function sourceOf(file: TestSpecification): Source {
  const text = readFileSync(file.moduleId, 'utf8')
  const folder = dirname(file.moduleId)
  // Some tests write imports of files that do not exist.
  const beside = [...text.matchAll(/from '(\.\/[^']+)'/g)]
    .map(([, name = '']) => resolve(folder, name))
    .filter((path) => existsSync(path))
  const size = beside.reduce((sum, path) => sum + statSync(path).size, text.length)
  return { file, text, size }
}

/** Returns whether the file is marked with the tag `slow` of `vitest.config.ts`. */
function isSlow({ text }: Source): boolean {
  return /@module-tag slow\b/.test(text)
}

/** Returns what the workers have in common that can run a file: its project and its environment. */
function workerOf({ file, text }: Source): string {
  const [, environment = ''] = /@vitest-environment (\S+)/.exec(text) ?? []
  return `${file.project.name} ${environment}`
}
