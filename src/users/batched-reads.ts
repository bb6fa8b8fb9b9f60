import type { Tenant } from '../contracts/host.ts'
import { batchPerTick } from '../process/batch-per-tick.ts'

type FindById<User> = (id: string, tenant?: Tenant) => Promise<User | null>

/** The reads by id of a users table. */
interface ReadsById<User> {
  readonly findById: FindById<User>
  /** Returns the function that reads one of the users. */
  readonly findEach: (
    ids: readonly string[],
    tenant: Tenant,
  ) => Promise<(id: string) => User | null>
}

/**
 * Makes one statement of the calls of `findById` in one tick of the event loop: every request calls
 * it. Done here and not by the service, so that a `findById` that a host puts in front of this one
 * is never bypassed.
 */
export function batchedReads<User>({ findById, findEach }: ReadsById<User>): FindById<User> {
  const find = batchPerTick<readonly [id: string, tenant: Tenant], User | null>((all) => {
    // A statement by one id is faster than one by a list.
    if (all.length === 1) return all.map(async ([id, tenant]) => findById(id, tenant))
    // A failure of one tenant is not that of the others.
    const found = new Map<Tenant, ReturnType<typeof findEach>>()
    return all.map(async ([id, tenant]) => {
      const ids = () => all.flatMap(([one, of]) => (of === tenant ? [one] : []))
      const reading = found.get(tenant) ?? findEach(ids(), tenant)
      found.set(tenant, reading)
      return (await reading)(id)
    })
  })
  return async (id, tenant = null) => find(id, tenant)
}
