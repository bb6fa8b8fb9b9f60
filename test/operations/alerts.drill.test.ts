import { describe, expect, it } from 'vitest'
import { readAlerts } from './alerts.ts'
import { faults, fullDisk, type Fault } from './faults.ts'
import { startPrometheus } from './prometheus.ts'

const SOON = { timeout: 60_000, interval: 500 }

/** Expects that nothing fires before the fault, the alerts during it, and nothing after the mend. */
async function expectFired(start: () => Promise<Fault>, ...alerts: readonly string[]) {
  const { target, begin, mend, ignored = [] } = await start()
  const { firing: allFiring, warm } = await startPrometheus(target)
  const firing = async () => (await allFiring()).filter((name) => !ignored.includes(name))
  await warm()
  expect(await firing()).toEqual([])
  await begin()
  await expect.poll(firing, SOON).toEqual(expect.arrayContaining([...alerts]))
  await mend()
  await expect.poll(firing, SOON).toEqual([])
}

it('Every alert has a fault that fires it', () => {
  expect(Object.keys(faults)).toEqual(readAlerts().map(({ name }) => name))
})

describe('A real Prometheus', { timeout: 240_000 }, () => {
  it.each(Object.entries(faults))(
    'fires %s during its fault, and at no other time',
    async (alert, start) => expectFired(start, alert),
  )

  it('fires what a full disk makes people meet, and the part that fails', async () =>
    expectFired(fullDisk, 'SvcAuthUnavailable', 'SvcAuthCallsFailing'))
})
