import type { Command } from 'commander'
import { UsageError } from './result.ts'

/** Texts that a command may be given empty. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['name', 'body'])

/**
 * Lets a program refuse an option that is given twice, of which the parser keeps the last, and an
 * empty one, which a variable of a script leaves that is not set: `--id "$ID"`.
 *
 * @param program A program whose commands have been added.
 */
export function checkOptionValues(program: Command): void {
  for (const option of program.options.filter(({ required }) => required)) {
    const name = `--${option.name()}`
    let isGiven = false
    program.on(`option:${option.name()}`, (value: string) => {
      if (isGiven) throw new UsageError(`${name}: was given twice; give it once`)
      if (value === '' && !MAY_BE_EMPTY.has(option.name()))
        throw new UsageError(`${name}: is empty; give a value, or leave the option out`)
      isGiven = true
    })
  }
  for (const below of program.commands) checkOptionValues(below)
}
