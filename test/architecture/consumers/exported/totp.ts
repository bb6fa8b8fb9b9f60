import { sqliteFactors, totp } from '@svc/auth/totp'

declare const database: Parameters<typeof sqliteFactors>[0]

export const factors = sqliteFactors(database)
export const twoFactor = totp({ issuer: 'Acme', factors, keys: [] })
