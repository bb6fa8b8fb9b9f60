import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The share of the run before the last browser file starts: a long one must not run on alone. */
const BROWSER_SHARE = 0.8

/**
 * Spreads the browser files over the run. A browser waits most of its time, so together the files
 * would leave the processors idle, and all at once they would be late. Larger files come first, and
 * files of one project and environment together, because a worker runs the next file only if it has
 * the same, and then keeps its modules.
 */
export class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files
      .map((file) => ({ file, text: readFileSync(file.moduleId, 'utf8') }))
      .toSorted((one, other) => other.text.length - one.text.length)
      .toSorted((one, other) => workerOf(one).localeCompare(workerOf(other)))
      .map(({ file }) => file)
    const isBrowser = ({ project }: TestSpecification): boolean => project.name === 'browser'
    const others = sorted.filter((file) => !isBrowser(file))
    const browsers = sorted.filter(isBrowser)
    const between = Math.floor((others.length * BROWSER_SHARE) / browsers.length)
    for (const [number, file] of browsers.entries()) others.splice(number * (between + 1), 0, file)
    return others
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
