export { defineConfig } from './contracts/command-config.ts'
export type * from './contracts/command-config.ts'
export type * from './contracts/import-source.ts'
export type { Migrated, MigratedTables } from './contracts/migrated.ts'
export { replaceKeys } from './core/operation/key-check.ts'
export { isLoopback } from './core/loopback.ts'
export { hashPassword } from './core/passwords/passwords.ts'
export { logSecurityEvents } from './core/operation/security-log.ts'
export { createSealer, type Sealer } from './contracts/sealed.ts'
export { openOnce } from './service/open-once.ts'
export { createPanelAuth } from './service/panel-auth.ts'
export {
  BodyConsumedError,
  ConfigError,
  InvitationError,
  NotificationError,
  StoreError,
} from './contracts/errors.ts'
export type { AccountPasswords } from './contracts/account-passwords.ts'
export type { SessionOptions } from './contracts/session-options.ts'
export type * from './contracts/host.ts'
export type { TwoFactorDevice, TwoFactorDevices } from './contracts/two-factor-devices.ts'
export type * from './contracts/store-contracts.ts'
export type { Impersonation, Impersonator } from './contracts/impersonation.ts'
export type * from './contracts/service-contract.ts'
export type * from './contracts/session-opening.ts'
export type * from './contracts/telemetry.ts'
export type { ActivityOptions, PanelAuthOptions, PanelConfig } from './contracts/options.ts'
