import { CommanderError, type Command } from 'commander'
import { exitCodes, FailedFinding, printResult, UsageError } from './result.ts'
import {
  guardStandardError,
  messageOf,
  printError,
  printJson,
  printLastError,
} from '../output/output.ts'
import { usageMessage } from './usage-message.ts'

const UNFINISHED =
  'the command ended before it was done: the host ended the process, or awaits what never happens'

/**
 * Runs the program and ends the process: a connection that the host's configuration leaves open
 * must not keep the command running.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  const asJson = argv.includes('--json')
  let code: number = exitCodes.failed
  let isFinished = false
  guardStandardError()
  dieBySignals()
  process.on('exit', () => {
    if (!isFinished) printLastError(UNFINISHED, asJson)
    // Whatever code the host has set: those of the commands are documented.
    process.exitCode = code
  })
  const finish = (ended: number): void => {
    code = ended
    isFinished = true
    process.exit()
  }
  // Of the host's code, such as a timer.
  const failFor = async (error: unknown): Promise<void> => finish(await reportError(error, asJson))
  process.once('uncaughtException', (error) => void failFor(error))
  finish(await run(program, argv, asJson))
}

/**
 * Lets a signal end the process as if nobody listened. The host's configuration may call
 * `closeOnSignals`, after which Ctrl-C would look like success.
 */
function dieBySignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    })
  }
}

/** Runs the program. @returns the exit code. */
async function run(program: Command, argv: readonly string[], asJson: boolean): Promise<number> {
  // The parser writes the help and the version, which are a result as any other.
  let written = ''
  captureOutput(program, (text) => (written += text))
  try {
    await program.parseAsync(argv)
    return exitCodes.done
  } catch (error) {
    const isResult = error instanceof CommanderError && error.exitCode === 0
    if (!isResult) return reportError(error, asJson, written)
  }
  const text = written.trimEnd()
  try {
    await printResult({ lines: text.split('\n'), json: { text } }, asJson)
    return exitCodes.done
  } catch (error) {
    return reportError(error, asJson)
  }
}

/** Sets where the parser writes, in a program whose commands have been added. */
function captureOutput(command: Command, write: (text: string) => void): void {
  command.configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined })
  for (const below of command.commands) captureOutput(below, write)
}

/**
 * Reports an error.
 *
 * @param help The help that the parser has written for an error.
 * @returns the exit code.
 */
async function reportError(error: unknown, asJson: boolean, help = ''): Promise<number> {
  // It has been printed.
  if (error instanceof FailedFinding) return exitCodes.failed
  const isUsage = error instanceof CommanderError || error instanceof UsageError
  const message = error instanceof CommanderError ? usageMessage(error, help) : messageOf(error)
  await printReason(message, asJson)
  return isUsage ? exitCodes.usage : exitCodes.failed
}

async function printReason(message: string, asJson: boolean): Promise<void> {
  if (!asJson) return printError(message)
  try {
    await printJson({ error: message })
  } catch (error) {
    // Standard output takes nothing.
    printError(message)
    printError(messageOf(error))
  }
}
