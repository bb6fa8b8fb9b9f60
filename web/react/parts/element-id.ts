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

/** Id of the form, with which the ids of its fields and of its message begin. */
export const FormId = createContext('')

/** Returns the id of a field of the form. */
export function useFieldId(name: string): string {
  return `${useContext(FormId)}-${name}`
}

/** Returns the id of the form's message, for the `aria-describedby` of what it is about. */
export function useMessageId(): string {
  return useFieldId('message')
}
