import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { ActivityItem } from '../../../src/rules/routes/activity-rows.ts'
import { EventPlace, loadActivity } from '../session/event-place.tsx'
import { isProblem, PartFailed } from '../session/part-failed.tsx'
import { useSession, useText } from '../session/provider.tsx'
import { usePart, type PartState } from '../session/use-part.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { useAccountReader } from './account-changes.tsx'
import { Section } from './section.tsx'
import { useSectionProblem } from './section-problems.ts'

/** Renders the latest security events of the user. It requests them when it is first shown. */
export function ActivitySection() {
  const text = useText()
  const session = useSession()
  const heading = useRef<HTMLHeadingElement>(null)
  const [part, fetchPart] = usePart(useCallback(async () => loadActivity(session), [session]))
  useEffect(() => void fetchPart(), [fetchPart])
  useAccountReader(fetchPart)
  useSectionProblem(isProblem(part))
  const failures = part.state === 'loaded' ? part.failures : 0
  useLayoutEffect(() => {
    // The pressed retry button is gone.
    if (failures > 0) heading.current?.focus()
  }, [failures])
  return (
    <Section
      title={text('ui.activity.title')}
      heading={heading}
      isLoading={part.state === 'loading'}
    >
      <p>{text('ui.activity.intro')}</p>
      <Events part={part} onRetry={() => void fetchPart()} />
    </Section>
  )
}

interface EventsProps {
  readonly part: PartState<readonly ActivityItem[]>
  readonly onRetry: () => void
}

function Events({ part, onRetry }: EventsProps) {
  const text = useText()
  switch (part.state) {
    case 'loading':
      return <Skeleton lines={3} />
    case 'failed':
      return <PartFailed part={part} takesFocus="retry" onRetry={onRetry} />
    case 'loaded':
      return part.content.length === 0 ? (
        <p data-svc-part="hint">{text('ui.activity.empty')}</p>
      ) : (
        <ul role="list" data-svc-part="activity">
          {keyed(part.content).map(({ key, entry }) => (
            <li key={key} data-svc-part="activity-event">
              <strong>{text(`ui.activity.event.${entry.event}`)}</strong>
              <EventPlace entry={entry} />
            </li>
          ))}
        </ul>
      )
  }
}

/** Gives each entry a key of its own: two events of one kind may have the same time. */
function keyed(entries: readonly ActivityItem[]) {
  return entries.map((entry, index) => ({ key: `${index} ${entry.event}`, entry }))
}
