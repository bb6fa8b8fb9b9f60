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

/** The links to a new password: how long each works, the page that it leads to, and its key. */
export const LINKS = {
  reset: { minutes: times.resetMinutes, page: 'reset-password', key: 'password.reset' },
  invite: { minutes: times.invitationMinutes, page: 'choose-password', key: 'password.invitation' },
} as const

export type LinkPurpose = keyof typeof LINKS
