import { Console } from 'node:console'
import { once } from 'node:events'
import { CommanderError, type Command } from 'commander'
import { reasonOfError, writeErrorLine } from '../errors.ts'
import { exitCodes, UsageError } from './outcome.ts'

/**
 * Runs the program and ends the process: a connection that the host's configuration leaves open
 * must not keep the command running.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  // Listeners of the host may log: standard output has the result alone, which programs parse.
  globalThis.console = new Console(process.stderr)
  // A reader such as `head` stops reading when it has enough.
  process.stdout.once('error', () => process.exit())
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = reportError(error, argv.includes('--json'))
  }
  // `process.exit` would cut off output that a pipe has not taken yet.
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  process.exit()
}

/** Reports an error. @returns the exit code. */
function reportError(error: unknown, asJson: boolean): number {
  // Commander has printed its own message.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  const reason = reasonOfError(error)
  if (asJson) process.stdout.write(`${JSON.stringify({ error: reason })}\n`)
  else writeErrorLine(reason)
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}
