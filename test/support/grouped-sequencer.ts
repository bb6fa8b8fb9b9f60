import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Larger files come first, so that no long one runs on alone, and files of one project and
 * environment together, because a worker runs the next file only if it has the same, and then keeps
 * its modules.
 */
export class GroupedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
      .map((file) => ({ file, text: readFileSync(file.moduleId, 'utf8') }))
      .toSorted((one, other) => other.text.length - one.text.length)
      .toSorted((one, other) => workerOf(one).localeCompare(workerOf(other)))
      .map(({ file }) => file)
  }
}

interface Source {
  readonly file: TestSpecification
  readonly text: string
}

/** Returns what the workers have in common that can run a file: its project and its environment. */
function workerOf({ file, text }: Source): string {
  const [, environment = ''] = /@vitest-environment (\S+)/.exec(text) ?? []
  return `${file.project.name} ${environment}`
}
