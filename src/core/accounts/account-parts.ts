import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import type { Tenant } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'
import type { Checked } from '../boundary/checked.ts'
import type { CodeParts } from '../login/login-code.ts'
import type { AccountMails } from './account-mails.ts'
import type { LinkTokens } from './link-tokens.ts'

/** The parts that the passwords layer uses. */
export interface AccountParts extends Omit<CodeParts, 'provisional' | 'ceiling' | 'loginPlaces'> {
  readonly accountPasswords: Checked<AccountPasswords<unknown>>
  readonly tokens: LinkTokens<LinkPurpose>
  readonly mails: AccountMails
  /** Returns names that are no good passwords, such as that of the panel. */
  readonly serviceNames: (tenant: Tenant) => readonly string[]
}

/** The purpose of a link to a new password, which decides how long it works. */
export type LinkPurpose = 'reset' | 'invite'

/** The lifetimes of the links, in minutes. */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  reset: times.resetMinutes,
  invite: times.invitationMinutes,
}
