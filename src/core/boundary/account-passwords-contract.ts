import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import { onlyTrue } from './answers.ts'
import { inTime, optional, type Contract, type Read } from './checked.ts'

/** Reads whether a hash was stored. Many libraries return something else after an update. */
const wasStored: Read<boolean> = (answer) => answer !== false

export const accountPasswords: Contract<AccountPasswords<unknown>> = {
  name: 'AccountPasswords',
  nameCall: (method) => `passwords.${method}`,
  rows: { set: optional(inTime(wasStored)), allows: optional(inTime(onlyTrue)) },
}
