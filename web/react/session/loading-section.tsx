import { useLanguageAttributes, useText } from './provider.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useLoadingNote } from './use-loading-note.ts'

const LINES = 3

/**
 * Renders a section of the security page while it loads. Announces it, and leaves the focus where
 * it is.
 */
export function LoadingSection({ title }: { readonly title: string }) {
  useLoadingNote(useText()('ui.loading'))
  return (
    <section
      {...useLanguageAttributes()}
      aria-label={title}
      aria-busy="true"
      data-svc-part="security"
    >
      <h2 data-svc-part="section-title">{title}</h2>
      <Skeleton lines={LINES} />
    </section>
  )
}
