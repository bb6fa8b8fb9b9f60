import { useEffect, useState } from 'react'
import { useUser } from './provider.tsx'

/**
 * Reloads the page for another user, so that no data of the first user stays in memory.
 *
 * @returns `true` until then: what is shown may still be of the first user.
 */
export function useOtherUser(): boolean {
  const id = useUser()?.id ?? null
  const [first, setFirst] = useState(id)
  if (first === null && id !== null) setFirst(id)
  const isOther = first !== null && id !== null && id !== first
  useEffect(() => {
    if (isOther) location.reload()
  }, [isOther])
  return isOther
}
