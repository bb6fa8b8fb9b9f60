import type { Command } from 'commander'
import { UsageError } from './result.ts'

/** Adds `svc help`, which also finds commands of groups, like `svc help user create`. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .description('Prints the help of a command.')
    .argument('[command...]', 'such as user create')
    .action((names: readonly string[]) => commandNamed(program, names).help())
}

function commandNamed(program: Command, names: readonly string[]): Command {
  return names.reduce((above, name) => {
    const found = above.commands.find((command) => command.name() === name)
    if (found !== undefined) return found
    throw new UsageError(`there is no such command; "svc help" lists those that there are`)
  }, program)
}
