import { createContext, useContext, useId } from 'react'

/**
 * Prefix of the ids below a root that is not the host's own. Preact counts the ids of each root
 * from zero, also below those of the host.
 */
export const IdPrefix = createContext('')

/** Returns an id that no other element of the page has. */
export function useElementId(): string {
  return useContext(IdPrefix) + useId()
}
