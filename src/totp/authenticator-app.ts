/** The entry `@svc/auth/totp`: a second factor by codes of an app, and its stores. */
export { totp } from './authenticator.ts'
export type { FactorUser, TotpOptions } from './totp-options.ts'
export { drizzleFactors, prismaFactors } from './builder-factors.ts'
export type { DrizzleFactorTable } from './builder-factors.ts'
export type {
  ChangedDevices,
  FactorStore,
  NewFactor,
  StoredFactor,
  StoredForm,
  UsedStep,
} from './factor-store.ts'
export { kyselyFactors, mysqlFactors, postgresFactors, sqliteFactors } from './sql-factors.ts'
export type { CreatedFactorTable } from './sql-factors.ts'
export type { FactorColumns, FactorTable, FactorTableOptions } from './table-factors.ts'
