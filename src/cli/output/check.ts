import { reasonOfError } from '../../contracts/errors.ts'
import { warningTexts } from '../../contracts/provider-warning.ts'

/** The finding of one check of `svc doctor`. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** The finding and, unless it is ok, the remedy. */
  readonly text: string
}

/** Creates the function that returns findings of a status. */
function findingOf(status: Check['status']) {
  return (name: string, text: string): Check => ({ name, status, text: oneLine(text) })
}

/** Returns a finding that needs no action. */
export const ok = findingOf('ok')

/** Returns a finding that is rarely intended. */
export const warning = findingOf('warning')

/** Returns a finding that keeps users out or the service from working. */
export const failed = findingOf('failed')

/** Returns a text as one line. Object mappers write messages of several. */
export function oneLine(text: string): string {
  return text.trim().replace(/[\t\r\n]\s*/g, ' ')
}

/** Runs a check. An error is the finding that it has failed. */
export async function checked(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failed(name, reasonOfError(error))
  }
}

/** Returns the warnings of a part of the host. */
export async function warningsAbout(name: string, part: object): Promise<readonly Check[]> {
  return (await warningTexts(part)).map((text) => warning(name, text))
}
