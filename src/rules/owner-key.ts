/** A user of a tenant. */
interface UserOfTenant {
  readonly tenant: string | null
  readonly userId: string
}

/** Returns a text that is unique to the owner, whatever characters its ids contain. */
export function ownerKey({ tenant, userId }: UserOfTenant): string {
  return JSON.stringify([tenant, userId])
}
