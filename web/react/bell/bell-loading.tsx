import { useText } from '../session/provider.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoadingNote } from '../session/use-loading-note.ts'

const LINES = 4

/** Renders placeholders until the notifications have loaded. */
export function BellLoading() {
  const message = useText()('ui.bell.loading')
  useLoadingNote(message)
  return (
    <div aria-busy="true" data-svc-part="bell-loading">
      <p data-svc-part="bell-note">{message}</p>
      <Skeleton lines={LINES} />
    </div>
  )
}
