export { defineConfig } from './command-config.ts'
export type {
  CommandConfig,
  CommandConfigFile,
  CommandContext,
  UserCommands,
} from './command-config.ts'
export type { ImportSource, OldNotification, UnreadableNotification } from './import-source.ts'
export type { Migrated, MigratedTables } from './migrated.ts'
export { replaceKeys } from './core/key-check.ts'
export { isLoopback } from './core/loopback.ts'
export { hashPassword } from './core/passwords/passwords.ts'
export { logSecurityEvents } from './core/security-log.ts'
export { createSealer, type Sealer } from './core/second-factor/sealed.ts'
export { openOnce } from './open-once.ts'
export { createPanelAuth } from './panel-auth.ts'
export { BodyConsumedError, ConfigError, NotificationError, StoreError } from './errors.ts'
export type * from './contracts.ts'
export type * from './store-contracts.ts'
export type * from './service-contract.ts'
export type { PanelAuthOptions, PanelConfig } from './options.ts'
