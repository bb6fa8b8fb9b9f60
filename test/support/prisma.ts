import { join } from 'node:path'

/**
 * Opens a client that `scripts/prisma.mjs` has generated.
 *
 * @param folder The result of `installPrisma`.
 * @param kind The kind of the ids.
 * @param url The result of `emptyPostgres`.
 */
export async function openPrismaClient<Client>(
  folder: string,
  kind: string,
  url: string,
): Promise<Client> {
  const { PrismaClient } = await import(join(folder, kind, 'client.ts'))
  const { PrismaPg } = await import(
    join(folder, 'node_modules', '@prisma', 'adapter-pg', 'dist', 'index.mjs')
  )
  const schema = /search_path=(.*)$/.exec(new URL(url).searchParams.get('options') ?? '')?.[1]
  const adapter = new PrismaPg({ connectionString: url, max: 2 }, { schema })
  return new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] })
}
