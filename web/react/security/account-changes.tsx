import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react'
import { useSession } from '../session/provider.tsx'

/** Reads again what is shown of the account. Must keep its identity between renders. */
type Reader = () => unknown

const Readers = createContext<Set<Reader>>(new Set())

/** Makes the sections of the page read again what another tab has changed. */
export function AccountChanges({ children }: { readonly children: ReactNode }) {
  const { channel } = useSession()
  const [readers] = useState(() => new Set<Reader>())
  useEffect(
    () =>
      channel.listen((message) => {
        if (message !== 'account-changed' && message !== 'two-factor-changed') return
        for (const read of readers) read()
      }),
    [channel, readers],
  )
  return <Readers.Provider value={readers}>{children}</Readers.Provider>
}

/** Calls the reader after every change of the account outside its section. */
export function useAccountReader(reader: Reader): void {
  const readers = useContext(Readers)
  useEffect(() => {
    readers.add(reader)
    return () => void readers.delete(reader)
  }, [readers, reader])
}

/**
 * Returns a function that reports a change of the account to the other sections of this tab.
 *
 * @param own The reader of the section that makes the change, which knows of it; `null` for none.
 */
export function useReportChange(own: Reader | null): () => void {
  const readers = useContext(Readers)
  return useCallback(() => {
    for (const read of readers) if (read !== own) read()
  }, [readers, own])
}
