// Prisma generates its client, and `test/long/prisma.long.test.ts` installs it: here are their shapes.
declare module '@prisma/adapter-pg' {
  export class PrismaPg {
    constructor(options: { readonly connectionString: string })
  }
}

declare module '*/generated/client.ts' {
  import type { PrismaPg } from '@prisma/adapter-pg'
  import type { PrismaModel } from '@svc/auth/users'

  export class PrismaClient {
    constructor(options: { readonly adapter: PrismaPg })
    readonly member: PrismaModel<'id' | 'mail' | 'fullName' | 'password'>
  }
}
