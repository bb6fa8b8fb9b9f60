import type { ActivityItem } from '../../../src/rules/routes/activity-rows.ts'
import type { PanelSession } from '../../client/client.ts'
import { untranslated } from '../parts/untranslated.ts'
import { useText } from './provider.tsx'
import { Time } from './formatted-time.tsx'

/** Requests the activity of the user. Rejects where the service refuses or cannot be reached. */
export async function loadActivity(session: PanelSession): Promise<readonly ActivityItem[]> {
  const answer = await session.call('activity')
  if (answer.outcome === 'ok') return answer.body.data
  throw new Error(`the activity is not shown: ${answer.refusal.key}`)
}

/** Renders the time of an event and, as far as they are known, its browser and its network. */
export function EventPlace({ entry }: { readonly entry: ActivityItem }) {
  const browser = useBrowserName(entry)
  return (
    <span data-svc-part="event-place">
      <Time at={entry.at} />
      {browser !== null && <span>{browser}</span>}
      {entry.network !== null && (
        <bdi dir="ltr" ref={untranslated}>
          {entry.network}
        </bdi>
      )}
    </span>
  )
}

function useBrowserName({ browser, system }: ActivityItem): string | null {
  const text = useText()
  return browser !== null && system !== null
    ? text('ui.activity.browser_on', { browser, system })
    : (browser ?? system)
}
