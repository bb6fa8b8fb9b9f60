import type { PanelSession } from '../../client/client.ts'
import { useText } from '../session/provider.tsx'
import { Time } from '../session/formatted-time.tsx'
import { EndableSection } from './endable-section.tsx'
import { call } from './second-factor.ts'
import { EntryRow, Fact } from './entry-row.tsx'
import { useEndable } from './use-endable.ts'

/** Renders the trusted devices of the user, which end here. */
export function TrustedDevicesSection() {
  const text = useText()
  const { end, ...list } = useEndable(listDevices)
  const { entries, busy } = list
  const stop = async (id: string): Promise<void> =>
    end(id, 'ui.trusted.ended', async (by) => call(by, 'trusted-devices.end', null, { id }))
  const isEmpty = entries?.length === 0
  const intro = text(isEmpty ? 'ui.trusted.none' : 'ui.trusted.intro')
  return (
    <EndableSection title={text('ui.trusted.title')} intro={intro} list={list}>
      {!isEmpty && (
        <ul role="list" data-svc-part="sessions">
          {entries?.map((device) => (
            <EntryRow
              key={device.id}
              list="trusted"
              entry={device}
              busy={busy === device.id}
              onEnd={() => void stop(device.id)}
            >
              <Fact name={text('ui.trusted.ends')}>
                <Time at={device.expires_at} />
              </Fact>
            </EntryRow>
          ))}
        </ul>
      )}
    </EndableSection>
  )
}

async function listDevices(session: PanelSession) {
  return call(session, 'trusted-devices')
}
