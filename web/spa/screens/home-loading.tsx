import { Skeleton } from '../../react/parts/skeleton.tsx'
import { useText } from '../../react/session/provider.tsx'
import { useLoadingNote } from '../../react/session/use-loading-note.ts'

const LINES = 4

/** Renders placeholders for the cards of the home page. */
export function HomeLoading() {
  useLoadingNote(useText()('ui.loading'))
  return (
    <div className="svc-home" aria-busy="true">
      <div className="svc-panel-card">
        <Skeleton lines={LINES} />
      </div>
      <div className="svc-panel-card">
        <Skeleton lines={LINES} />
      </div>
    </div>
  )
}
