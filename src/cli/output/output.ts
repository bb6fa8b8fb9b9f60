import { Console } from 'node:console'
import { writeSync } from 'node:fs'
import type { WriteStream } from 'node:tty'
import { reasonOfError } from '../../contracts/errors.ts'
import { oneLine, type Check } from './check.ts'
import { printable, printableLines } from '../../rules/printable.ts'

/*
 * Everything that `svc` prints passes this file. Names of users and answers of servers are written
 * by others: what a terminal would act on is escaped here, and nowhere else.
 */

/** One line of a result, or one finding, whose status is marked. */
export type Line = string | Pick<Check, 'status' | 'text'>

/** Standard error as it was before `guardStandardError`. */
let writeError = process.stderr.write.bind(process.stderr)

/**
 * Escapes what the host's code and the stores write to standard error while a command runs. What
 * the host logs goes there, too: standard output has the result alone, which programs parse.
 */
export function guardStandardError(): void {
  writeError = process.stderr.write.bind(process.stderr)
  globalThis.console = new Console(process.stderr)
  const harmless = (chunk: string | Uint8Array): string =>
    printableLines(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
  // The overloads differ in the arguments after the chunk, which are passed on as they are.
  process.stderr.write = (chunk: string | Uint8Array, ...rest: []) =>
    writeError(harmless(chunk), ...rest)
  // A failed write of a message must not end the command in the middle of its work.
  process.stderr.on('error', () => undefined)
}

/**
 * Prints the result of a command.
 *
 * @throws {Error} Standard output takes no more, as when a disk is full or a pipe was closed.
 */
export async function printLines(lines: readonly Line[]): Promise<void> {
  const isColored = hasColors(process.stdout)
  await writeResult(lines.map((line) => `${lineOf(line, isColored)}\n`).join(''))
}

/**
 * Prints a value as JSON.
 *
 * @throws {Error} As of `printLines`.
 */
export async function printJson(value: unknown): Promise<void> {
  await writeResult(`${printableLines(JSON.stringify(value, null, 2))}\n`)
}

async function writeResult(text: string): Promise<void> {
  const { stdout } = process
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new Error(`standard output cannot be written: ${error.message}`))
    // The stream also emits the error, which would end the process if nobody listened.
    stdout.on('error', fail)
    stdout.write(text, (error) => (error ? fail(error) : resolve()))
  })
}

/** Prints an error message of this program. Its line breaks are kept. */
export function printError(message: string): void {
  const text = printableLines(message)
  writeError(`${hasColors(process.stderr) ? painted(text, 'failed') : text}\n`)
}

/** Prints a last message while the process ends, when streams write no more. */
export function printLastError(message: string, asJson: boolean): void {
  const text = asJson ? JSON.stringify({ error: message }) : message
  writeSync(asJson ? 1 : 2, `${printableLines(text)}\n`)
}

/** Prints a question at the terminal, and leaves the cursor behind it. */
export function printQuestion(question: string): void {
  writeError(printable(question))
}

/** Ends the line of a question whose answer was not shown. */
export function endQuestion(): void {
  writeError('\n')
}

/**
 * Returns the message of an error. Only messages of this package have lines of their own. One with
 * a cause quotes a server or a driver, whose line breaks could forge lines: they become spaces.
 */
export function messageOf(error: unknown): string {
  const isOwn = error instanceof Error && OWN.has(error.name) && error.cause === undefined
  return isOwn ? error.message : printable(oneLine(reasonOfError(error)))
}

const OWN: ReadonlySet<string> = new Set(['UsageError', 'ConfigError'])

function lineOf(line: Line, isColored: boolean): string {
  if (typeof line === 'string') return printable(line)
  const status = line.status.padEnd(STATUS_CHARACTERS)
  return `${isColored ? painted(status, line.status) : status} ${printable(line.text)}`
}

const STATUS_CHARACTERS = 8

const COLORS = { ok: 32, warning: 33, failed: 31 } as const

function painted(text: string, status: keyof typeof COLORS): string {
  return `\u001b[${COLORS[status]}m${text}\u001b[39m`
}

/** Returns `true` for a terminal with colors, unless NO_COLOR or TERM=dumb says otherwise. */
function hasColors(stream: Pick<WriteStream, 'isTTY'> & Partial<WriteStream>): boolean {
  return stream.isTTY && (stream.hasColors?.() ?? false)
}
