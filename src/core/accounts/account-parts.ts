import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import type { Mailer, Tenant } from '../../contracts/host.ts'
import type { JobQueue } from '../../process/job-queue.ts'
import type { Checked } from '../boundary/checked.ts'
import type { LoginParts } from '../login/login-parts.ts'
import type { Turns } from '../turns.ts'
import type { PasswordTokens } from './password-tokens.ts'

/** The parts that the passwords layer uses. */
export interface AccountParts extends Omit<LoginParts, 'provisional' | 'ceiling'> {
  readonly turns: Turns
  readonly accountPasswords: Checked<AccountPasswords<unknown>>
  readonly mailer: Checked<Mailer>
  readonly tokens: PasswordTokens
  /** Sends the mails after the answer, so that no answer depends on them. */
  readonly mailQueue: JobQueue
  /** Returns the address of a page of a panel, from the configured address of the service. */
  readonly pageUrl: (tenant: Tenant, panel: string, page: string) => string
  /** The panel of links that no request names. */
  readonly firstPanel: string
  /** Returns names that are no good passwords, such as that of the panel. */
  readonly serviceNames: (tenant: Tenant) => readonly string[]
}
