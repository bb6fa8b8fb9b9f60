import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The share of the run before the last browser file starts: a long one must not run on alone. */
const BROWSER_SHARE = 0.8

/**
 * Spreads the browser files over the run. A browser waits most of its time, so together the files
 * would leave the processors idle, and all at once they would be late. Larger files come first, and
 * files of one project together, because a worker keeps its modules from one to the next.
 */
export class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]))
    const sorted = files
      .toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0))
      .toSorted((one, other) => one.project.name.localeCompare(other.project.name))
    const isBrowser = ({ project }: TestSpecification): boolean => project.name === 'browser'
    const others = sorted.filter((file) => !isBrowser(file))
    const browsers = sorted.filter(isBrowser)
    const between = Math.floor((others.length * BROWSER_SHARE) / browsers.length)
    for (const [number, file] of browsers.entries()) others.splice(number * (between + 1), 0, file)
    return others
  }
}
