import type { Tenant } from '../contracts/host.ts'
import { batchPerTick } from '../process/batch-per-tick.ts'

/** The reads by id of a users table. */
export interface ReadsById<User> {
  readonly findById: (id: string, tenant?: Tenant) => Promise<User | null>
  readonly findManyById: (
    ids: readonly string[],
    tenant?: Tenant,
  ) => Promise<readonly (User | null)[]>
}

/**
 * Makes one statement of the calls of `findById` in one tick of the event loop: every request calls
 * it. Done here and not by the service, so that a `findById` that a host puts in front of this one
 * is never bypassed.
 */
export function batchedReads<User>({ findById, findManyById }: ReadsById<User>): ReadsById<User> {
  const find = batchPerTick<readonly [id: string, tenant: Tenant], User | null>((all) => {
    // A statement by one id is faster than one by a list.
    if (all.length === 1) return all.map(async ([id, tenant]) => findById(id, tenant))
    const found = new Map<Tenant, Promise<Map<string, User | null>>>()
    return all.map(async ([id, tenant]) => {
      const group = found.get(tenant) ?? readGroup(all, tenant, findManyById)
      found.set(tenant, group)
      return (await group).get(id) ?? null
    })
  })
  return { findById: async (id, tenant = null) => find(id, tenant), findManyById }
}

/** Reads the users of one tenant. A failure is not that of the other tenants. */
async function readGroup<User>(
  all: readonly (readonly [id: string, tenant: Tenant])[],
  tenant: Tenant,
  findManyById: ReadsById<User>['findManyById'],
): Promise<Map<string, User | null>> {
  const ids = [...new Set(all.flatMap(([id, of]) => (of === tenant ? [id] : [])))]
  const users = await findManyById(ids, tenant)
  return new Map(ids.map((id, index) => [id, users[index] ?? null]))
}
