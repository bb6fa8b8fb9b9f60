import type { Owner } from '../contracts.ts'

/** A name for an owner that no other owner has. */
export function ownerName({ tenant, userId }: Owner): string {
  return JSON.stringify([tenant, userId])
}
