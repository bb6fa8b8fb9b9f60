import { useCallback, useState } from 'react'
import type { ComponentType } from 'react'
import type { BellDialogProps } from './bell-dialog.tsx'

/** What is inside the dialog: a file of its own, which may fail to arrive like any other. */
export type DialogPart =
  | { readonly part: 'unasked' | 'failed' }
  | { readonly part: 'there'; readonly Content: ComponentType<BellDialogProps> }

/** Fetches what is inside the dialog when it is wanted. */
export function useDialogPart() {
  const [part, setPart] = useState<DialogPart>({ part: 'unasked' })
  const fetchPart = useCallback(async () => {
    try {
      const { BellDialog } = await import('./bell-dialog.tsx')
      setPart({ part: 'there', Content: BellDialog })
    } catch {
      setPart({ part: 'failed' })
    }
  }, [])
  return [part, fetchPart] as const
}
