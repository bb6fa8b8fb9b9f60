/** A user of a tenant. */
interface UserOfTenant {
  readonly tenant: string | null
  readonly userId: string
}

/** Returns one text for an owner. No two owners share it, whatever characters their ids contain. */
export function ownerKey({ tenant, userId }: UserOfTenant): string {
  return JSON.stringify([tenant, userId])
}
