import type { Owner } from '../contracts.ts'

/** Puts an owner into one text: no two owners have the same, whatever their names are made of. */
export function ownerKey({ tenant, userId }: Owner): string {
  return JSON.stringify([tenant, userId])
}
