import type { SuccessBody } from '../../../src/rules/routes.ts'
import type { PanelSession } from '../../client/client.ts'
import { Button } from '../parts/button.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { useText } from '../session/provider.tsx'
import { EndableSection } from './endable-section.tsx'
import { call } from './second-factor.ts'
import { Fact, Time, useBrowserName } from './session-row.tsx'
import { useEndable } from './use-endable.ts'

type Device = SuccessBody<'trusted-devices'>['data'][number]

/** Renders the trusted devices of the user, which end here. */
export function TrustedDevicesSection() {
  const text = useText()
  const { end, ...list } = useEndable(listDevices)
  const { entries, busy } = list
  const stop = async (id: string): Promise<void> =>
    end(id, 'ui.trusted.ended', async (by) => call(by, 'trusted-devices.end', null, { id }))
  const intro = text(entries?.length === 0 ? 'ui.trusted.none' : 'ui.trusted.intro')
  return (
    <EndableSection title={text('ui.trusted.title')} intro={intro} list={list}>
      <ul data-svc-part="sessions">
        {entries?.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            busy={busy === device.id}
            onEnd={() => void stop(device.id)}
          />
        ))}
      </ul>
    </EndableSection>
  )
}

async function listDevices(session: PanelSession) {
  return call(session, 'trusted-devices')
}

interface DeviceRowProps {
  readonly device: Device
  readonly busy: boolean
  readonly onEnd: () => void
}

/** Renders one device: its browser, network, begin and end, and the button that ends it. */
function DeviceRow({ device, busy, onEnd }: DeviceRowProps) {
  const text = useText()
  const browser = useBrowserName(device)
  const network = device.network ?? text('ui.sessions.unknown')
  return (
    <li data-svc-part="session">
      <div data-svc-part="section-head">
        <strong data-svc-part="session-name">{browser}</strong>
        {device.current && (
          <span data-svc-part="mark" data-state="on">
            {text('ui.trusted.current')}
          </span>
        )}
      </div>
      <dl data-svc-part="session-facts">
        <Fact name={text('ui.sessions.network')}>
          <bdi dir="ltr" ref={untranslated}>
            {network}
          </bdi>
        </Fact>
        <Fact name={text('ui.sessions.began')}>
          <Time at={device.created_at} />
        </Fact>
        <Fact name={text('ui.trusted.ends')}>
          <Time at={device.expires_at} />
        </Fact>
      </dl>
      <Button
        part="secondary"
        label={text('ui.trusted.end_label', { browser, network })}
        busy={busy}
        onPress={onEnd}
      >
        {text('ui.trusted.end')}
      </Button>
    </li>
  )
}
