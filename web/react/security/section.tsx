import type { ReactNode, RefObject } from 'react'
import { useLanguageAttributes } from '../session/provider.tsx'
import { useElementId } from '../parts/element-id.ts'

export interface SectionProps {
  readonly title: string
  /** Takes the focus when the user's action has opened the section. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** Status or progress, shown beside the title. */
  readonly mark?: ReactNode
  /** While it loads, the sections below it are not shown. Default: `false`. */
  readonly isLoading?: boolean
  readonly children?: ReactNode
}

/** Renders a section of the security page with its heading. */
export function Section({ title, heading, mark, isLoading = false, children }: SectionProps) {
  const id = useElementId()
  return (
    <section
      {...useLanguageAttributes()}
      aria-labelledby={id}
      aria-busy={isLoading || undefined}
      data-svc-part="security"
    >
      <div data-svc-part="section-head">
        <h2 ref={heading} id={id} tabIndex={-1} data-svc-part="section-title">
          {title}
        </h2>
        {mark}
      </div>
      {children}
    </section>
  )
}
