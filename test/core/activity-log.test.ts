import { memoryStores } from '@svc/auth/memory'
import { fakeClock } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { createActivityLog } from '../../build/src/core/activity/activity-log.js'
import { activityStore } from '../../build/src/core/boundary/checked-stores.js'
import { checked } from '../../build/src/core/boundary/checked.js'
import { barrier } from '../support/time.ts'

const una = { tenant: null, userId: 'u1' }
const client = { network: '203.0.113.7', userAgent: null, acceptLanguage: null }
const FROM = { at: fakeClock().now(), client }

/** Creates a log on a store whose writes wait until they are opened. */
function startLog() {
  const { activity } = memoryStores()
  if (activity === undefined) throw new Error('the stores have no activity')
  const { passed, open } = barrier()
  let added = 0
  const slow: typeof activity = {
    ...activity,
    async add(...args) {
      await passed
      added += 1
      await activity.add(...args)
    },
  }
  const lines: object[] = []
  const note = (fields: object): void => void lines.push(fields)
  const log = createActivityLog({
    activityDays: 90,
    store: checked(slow, activityStore),
    clock: fakeClock(),
    logger: { warn: note, error: note },
  })
  return { log, lines, open, added: () => added, store: activity }
}

describe('The log of the activity', () => {
  it('ACT-02: drops entries beyond 1000 that wait, and logs it once', async () => {
    const { log, lines, open, added } = startLog()
    for (let count = 0; count < 1010; count += 1) log.record(una, 'failed', FROM)
    open()
    await log.settled()
    expect(added()).toBe(1000)
    expect(lines).toEqual([expect.objectContaining({ event: 'activity.failed' })])
  })

  it('writes the entries in their order', async () => {
    const { log, open } = startLog()
    for (const event of ['login', 'password.changed', 'logout'] as const)
      log.record(una, event, FROM)
    open()
    const entries = await log.latest(una, 9)
    expect(entries.map(({ event }) => event)).toEqual(['logout', 'password.changed', 'login'])
  })

  it('leaves out events that this release does not know', async () => {
    const { log, store } = startLog()
    const later = { event: 'passkey.added', at: fakeClock().now() }
    await store.add(una, { ...later, network: null, browser: null, system: null }, 5)
    expect(await log.latest(una, 9)).toEqual([])
  })
})
