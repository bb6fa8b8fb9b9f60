import type { Logger } from '../contracts/host.ts'
import { createOutageLogger } from './outage-log.ts'
import { writeErrorLine } from '../process/write-line.ts'

/** Creates the logger of a service whose host gives none. */
export function createStandardErrorLogger(closing: AbortSignal): Logger {
  return createOutageLogger(STANDARD_ERROR, closing)
}

const STANDARD_ERROR: Logger = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
}

// JSON does not escape these; terminals and log viewers interpret them.
const UNSAFE_IN_A_LINE = /[\u007f-\u009f\u2028\u2029]/g

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns one line of JSON, so that no received text can start a line of its own. */
export function asLine(fields: object): string {
  return JSON.stringify(fields).replaceAll(UNSAFE_IN_A_LINE, asEscape)
}

function writeLine(level: string, fields: object, message: string): void {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? value.stack : value,
  ])
  const line = { time: new Date().toISOString(), level, message, ...Object.fromEntries(shown) }
  writeErrorLine(asLine(line))
}
