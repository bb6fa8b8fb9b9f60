import type { Sealer } from '../../contracts/sealed.ts'
import type { CodeParts } from '../login/login-code.ts'
import type { CheckedAuthenticator } from './checked-authenticator.ts'

/** The parts that the management of the second factor uses. */
export interface TwoFactorParts extends CodeParts {
  readonly factor: CheckedAuthenticator
  readonly sealer: Sealer
}
