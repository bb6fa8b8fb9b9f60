import type { Pool } from 'pg'
import { postgresFactors, type FactorTable } from '@svc/auth/totp'
import { openTotpStage, type FactorStage } from './factor-cases.ts'
import { importFrom, type MovedApplication } from './old-users.ts'

interface FactorsFile {
  readonly betterAuthFactors: (secrets: object) => FactorTable
}

/** Opens two instances on the tables of Better Auth, and users without a second factor. */
export async function betterAuthStage(
  application: MovedApplication,
  pool: Pool,
  secrets: { readonly secret: string; readonly secrets?: string },
): Promise<FactorStage> {
  const { rows: people } = await pool.query<{ readonly id: string; readonly email: string }>(
    `update "user" set "twoFactorEnabled" = false
      where email in ('rex@example.com', 'eve@example.com') returning id::text, email`,
  )
  const [user, otherUser] = people
  if (user === undefined || otherUser === undefined) throw new Error('the users are missing')
  const { betterAuthFactors } = await importFrom<FactorsFile>(application, 'better-auth-factors.js')
  return openTotpStage(postgresFactors(pool, betterAuthFactors(secrets)), [user, otherUser])
}
