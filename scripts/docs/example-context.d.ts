// The values of a host that the examples of docs/reference.md take for granted.
import type { Mailer, PanelAuth, PanelConfig, UserProvider } from '@svc/auth'
import type { AuthClient, PanelSession } from '@svc/auth/client'
import type { PrismaModel } from '@svc/auth/users'

declare global {
  /** The host's user. */
  interface User {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly passwordHash: string | null
    readonly verifiedAt: Date | null
  }
  const user: User
  const config: PanelConfig
  const users: UserProvider<User>
  const mailer: Mailer
  /** The host's database. */
  const db: {
    first<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | null>
    run(sql: string, ...values: readonly unknown[]): Promise<number>
  }
  /** A client of Prisma. */
  const prisma: {
    readonly user: PrismaModel<'id' | 'email' | 'name' | 'password'>
    readonly twoFactor: PrismaModel<'userId' | 'secret' | 'recoveryCodes' | 'lastStep'>
    readonly $queryRaw: (
      texts: TemplateStringsArray,
      ...values: readonly unknown[]
    ) => PromiseLike<unknown>
  }
  /** The service, in code on the server. */
  const auth: PanelAuth<User>
  /** The client, in code for the browser. */
  const client: AuthClient
  /** The session of this tab, in code for the browser. */
  const session: PanelSession
}
