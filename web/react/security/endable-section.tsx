import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useText } from '../session/provider.tsx'
import { Section } from './section.tsx'
import { useSectionProblem } from './section-problems.ts'
import type { useEndable } from './use-endable.ts'

export interface EndableSectionProps {
  readonly title: string
  readonly intro: string
  readonly list: Omit<ReturnType<typeof useEndable>, 'end'>
  /** Rendered once the list has loaded. */
  readonly children: ReactNode
}

/** Renders a section with a list whose entries end here, or what is in place of the list. */
export function EndableSection({ title, intro, list, children }: EndableSectionProps) {
  const { entries, problem, focusOn, goneButtons, busy, retry } = list
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useSectionProblem(problem !== null)
  useLayoutEffect(() => {
    if (goneButtons > 0) heading.current?.focus()
  }, [goneButtons])
  const isLoading = entries === null && problem === null
  return (
    <Section title={title} heading={heading} isLoading={isLoading}>
      <AlertBox content={problemContent(problem)} focusOn={focusOn} />
      <p>{intro}</p>
      {isLoading && <Skeleton lines={LINES} />}
      {entries === null && !isLoading && (
        <div data-svc-part="actions">
          <Button part="retry" busy={busy === 'list'} onPress={() => void retry()}>
            {text('ui.retry')}
          </Button>
        </div>
      )}
      {entries !== null && children}
    </Section>
  )
}

/** As high as an entry with its facts and its button. */
const LINES = 6
