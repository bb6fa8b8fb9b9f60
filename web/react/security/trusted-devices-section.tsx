import { useLayoutEffect, useRef } from 'react'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import type { PanelSession } from '../../client/client.ts'
import { Button } from '../parts/button.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { useText } from '../session/provider.tsx'
import { call } from './second-factor.ts'
import { Section } from './section.tsx'
import { Fact, Time, useBrowserName } from './session-row.tsx'
import { Missing } from './sessions-section.tsx'
import { useEndable } from './use-endable.ts'

type Device = SuccessBody<'trusted-devices'>['data'][number]

/** Renders the trusted devices of the user, which end here. */
export function TrustedDevicesSection() {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const { entries, problem, focusOn, goneButtons, busy, retry, end } = useEndable(listDevices)
  useLayoutEffect(() => {
    if (goneButtons > 0) heading.current?.focus()
  }, [goneButtons])
  const stop = async (id: string): Promise<void> =>
    end(id, 'ui.trusted.ended', async (by) => call(by, 'trusted-devices.end', null, { id }))
  const isLoading = entries === null && problem === null
  return (
    <Section title={text('ui.trusted.title')} heading={heading} isLoading={isLoading}>
      <AlertBox content={problemContent(problem)} focusOn={focusOn} />
      <p>{text(entries?.length === 0 ? 'ui.trusted.none' : 'ui.trusted.intro')}</p>
      {entries === null ? (
        <Missing isLoading={isLoading} isBusy={busy === 'list'} onRetry={() => void retry()} />
      ) : (
        <ul data-svc-part="sessions">
          {entries.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              busy={busy === device.id}
              onEnd={() => void stop(device.id)}
            />
          ))}
        </ul>
      )}
    </Section>
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
