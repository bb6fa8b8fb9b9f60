import type { Logger } from '../../contracts/host.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'
import { printable } from '../../rules/printable.ts'

/** The logger of a service whose host gives none. */
export const standardError: Logger = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
}

/** Returns one line of JSON, so that no received text can start a line of its own. */
export function asLine(fields: object): string {
  return printable(JSON.stringify(fields))
}

/** Returns the fields of a line, whose texts a terminal only shows. */
export function printableFields(fields: object): object {
  const shown = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? printable(value) : value,
  ])
  return Object.fromEntries(shown)
}

function writeLine(level: string, fields: object, message: string): void {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? stackOf(value) : value,
  ])
  const line = { time: new Date().toISOString(), level, message, ...Object.fromEntries(shown) }
  writeErrorLine(asLine(line))
}

/**
 * Returns a stack with the reason below it: that of a store says only which database has failed.
 */
function stackOf({ stack = '', cause }: Error): string {
  return cause === undefined ? stack : `${stack}\ncaused by ${reasonOfError(cause)}`
}
