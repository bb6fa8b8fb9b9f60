import { ConfigError } from '../contracts/errors.ts'
import { nearest } from '../rules/nearest.ts'

/** Creates the error of an option. */
export type Fail = (text: string) => ConfigError

/** Refuses an option that is not known: a misspelt one would be ignored. */
export function ensureKnown(given: object, known: readonly string[], fail: Fail): void {
  for (const name of Object.keys(Object(given)).filter((one) => !known.includes(one))) {
    const meant = nearest(name, known)
    const advice = meant === null ? 'check its spelling or leave it out' : `did you mean ${meant}?`
    throw fail(`${name}: no such option; ${advice}`)
  }
}

/** Refuses what is no name. A name with a quote is more likely a mistake, or an injection. */
export function ensureName(name: unknown, option: string, fail: Fail): void {
  const isName =
    typeof name === 'string' && name !== '' && name.isWellFormed() && !/["'`\0]/.test(name)
  if (!isName) throw fail(`${option}: give a name without quotes`)
}

/**
 * Checks the name of a table, with or without its schema.
 *
 * @throws {ConfigError} The message names the option and the remedy.
 */
export function checkTable(call: string, table: unknown): void {
  const parts: readonly unknown[] = typeof table === 'string' ? table.split('.') : [table]
  for (const part of parts) ensureName(part, 'table', (text) => new ConfigError(`${call}: ${text}`))
}
