import { MAX_TWO_FACTOR_DEVICES } from '../../../src/rules/panel-limits.ts'
import { Button } from '../parts/button.tsx'
import { useLocale, useText } from '../session/provider.tsx'
import type { ListedDevice } from './second-factor.ts'

export interface DeviceListProps {
  readonly devices: readonly ListedDevice[]
  readonly onAdd: () => void
  readonly onRemove: (device: ListedDevice) => void
}

/** Renders the devices that show codes of the user. The only one cannot be removed. */
export function DeviceList({ devices, onAdd, onRemove }: DeviceListProps) {
  const text = useText()
  const nameOf = useDeviceName()
  return (
    <>
      <h3 data-svc-part="step-title">{text('ui.apps.title')}</h3>
      <ul role="list" aria-label={text('ui.apps.title')} data-svc-part="devices">
        {devices.map((device) => (
          <li key={device.id} data-svc-part="device">
            <div>
              <bdi data-svc-part="device-name">{nameOf(device)}</bdi>
              <DeviceTimes device={device} />
            </div>
            {devices.length > 1 && (
              <Button
                part="secondary"
                label={text('ui.apps.remove_named', { name: nameOf(device) })}
                onPress={() => onRemove(device)}
              >
                {text('ui.apps.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {devices.length < MAX_TWO_FACTOR_DEVICES ? (
        <div data-svc-part="actions">
          <Button part="secondary" onPress={onAdd}>
            {text('ui.apps.add')}
          </Button>
        </div>
      ) : (
        <p data-svc-part="hint">{text('ui.apps.full')}</p>
      )}
    </>
  )
}

/** Returns what names a device: the user's own name, or a general one. */
export function useDeviceName(): (device: ListedDevice) => string {
  const text = useText()
  return ({ name }) => name ?? text('ui.apps.nameless')
}

function DeviceTimes({ device: { added_at: added, last_used_at: used } }: DeviceTimesProps) {
  const text = useText()
  const locale = useLocale()
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const said = [
    added !== null && text('ui.apps.added', { date: dates.format(new Date(added)) }),
    used !== null && text('ui.apps.used', { date: dates.format(new Date(used)) }),
  ].filter((one) => one !== false)
  return said.length === 0 ? null : <p data-svc-part="hint">{said.join(' ')}</p>
}

interface DeviceTimesProps {
  readonly device: ListedDevice
}
