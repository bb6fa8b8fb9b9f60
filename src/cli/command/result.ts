import { existsSync } from 'node:fs'
import { ConfigError } from '../../contracts/errors.ts'
import type { Command, OptionValues } from 'commander'
import type { Json } from '../../contracts/host.ts'
import { encodingFault } from './variables.ts'
import { printJson, printLines, type Line } from '../output/output.ts'

/** The result of a command, for people and for programs. */
export interface CommandResult {
  readonly lines: readonly Line[]
  readonly json: Json
  /** True when the command ran and its finding is a failure. Default: false. */
  readonly hasFailed?: boolean
}

/** The exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** A command was called in a way that it does not understand. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command has printed a finding that is a failure. */
export class FailedFinding extends Error {
  override readonly name = 'FailedFinding'
}

/** Adds a command. The options that `work` receives include those of all commands. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  work: (options: OptionValues) => CommandResult | Promise<CommandResult>,
): Command {
  const command = parent.command(name).description(description)
  return command.action(async () => {
    const options = command.optsWithGlobals()
    readVariables(stringOption(options, 'envFile'))
    await printResult(await work(options), options['json'] === true)
  })
}

/** Returns the text of an option; `null` when it is not given. */
export function stringOption(options: OptionValues, name: string): string | null {
  const value: unknown = options[name]
  return typeof value === 'string' ? value : null
}

function readVariables(file: string | null): void {
  if (file === null) return
  if (!existsSync(file)) throw new UsageError(`--env-file: ${file} does not exist`)
  const fault = encodingFault(file)
  if (fault !== null) throw new UsageError(`--env-file: ${fault}`)
  process.loadEnvFile(file)
}

/** Prints a result. @throws {FailedFinding} It is a failure. */
export async function printResult(result: CommandResult, asJson: boolean): Promise<void> {
  await (asJson ? printJson(result.json) : printLines(result.lines))
  if (result.hasFailed === true) throw new FailedFinding()
}

/** Returns the error for a method of the host that a command needs. */
export function missing(method: string): ConfigError {
  return new ConfigError(`${method}: is missing, and this command needs it`)
}
