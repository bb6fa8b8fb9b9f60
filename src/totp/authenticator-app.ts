/** The entry `@svc/auth/totp`: a second factor by codes of an app, and its stores. */
export { totp } from './authenticator.ts'
export type { TwoFactorAuthenticator } from '../contracts/host.ts'
export type { FactorUser, TotpOptions } from './totp-options.ts'
export * from './builder-factors.ts'
export type * from './factor-store.ts'
export * from './sql-factors.ts'
export type { FactorColumns, FactorTable, FactorTableOptions } from './table-factors.ts'
