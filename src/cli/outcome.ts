import { existsSync } from 'node:fs'
import type { Command, OptionValues } from 'commander'
import type { Json } from '../contracts.ts'
import { stringOption } from './command-options.ts'

/** The result of a command, for people and for programs. */
export interface Outcome {
  readonly lines: readonly string[]
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

/** Sets what a command does. Its options include those of all commands. */
export function setAction(
  command: Command,
  work: (options: OptionValues) => Outcome | Promise<Outcome>,
): Command {
  return command.action(async () => {
    const options = command.optsWithGlobals()
    readVariables(stringOption(options, 'envFile'))
    printOutcome(await work(options), options['json'] === true)
  })
}

function readVariables(file: string | null): void {
  if (file === null) return
  if (!existsSync(file)) throw new UsageError(`--env-file: ${file} does not exist`)
  process.loadEnvFile(file)
}

function printOutcome({ lines, json, hasFailed = false }: Outcome, asJson: boolean): void {
  const text = asJson ? JSON.stringify(json, null, 2) : lines.join('\n')
  process.stdout.write(`${text}\n`)
  if (hasFailed) process.exitCode = exitCodes.failed
}
