// Prisma generates its client, and `test/long/prisma.long.test.ts` installs it: here are their shapes.
declare module '@prisma/adapter-better-sqlite3' {
  export class PrismaBetterSqlite3 {
    constructor(options: { readonly url: string })
  }
}

declare module '@prisma/adapter-pg' {
  export class PrismaPg {
    constructor(options: { readonly connectionString: string })
  }
}

declare module '*/generated/client.ts' {
  import type { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
  import type { PrismaPg } from '@prisma/adapter-pg'
  import type { PrismaModel } from '@svc/auth/users'

  export class PrismaClient {
    constructor(options: { readonly adapter: PrismaBetterSqlite3 | PrismaPg })
    readonly member: PrismaModel<'id' | 'mail' | 'fullName' | 'password'>
    readonly user: PrismaModel<'id' | 'email' | 'name' | 'password'>
  }
}
