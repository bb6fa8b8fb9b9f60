import { createPanelAuth, type SessionOptions } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { configAt } from '../support/service.ts'

function start(sessions: SessionOptions, absolute = 1440) {
  return createPanelAuth({
    config: { ...configAt('https://panel.test'), session: { absolute } },
    stores: memoryStores(),
    users: fakeUsers([]),
    mailer: outbox(),
    sessions,
    logger: { warn: () => {}, error: () => {} },
  })
}

describe('The option `sessions`', () => {
  it.each([
    ['more than 90 days', { devices: true, remember: { days: 91 } }, /at most 90/],
    ['no day', { devices: true, remember: { days: 0 } }, /more than 0/],
    [
      'a lifetime without the list',
      { remember: { days: 30 } },
      /sessions\.remember: .*devices: true/,
    ],
    ['trust without a second factor', { devices: true, trusted: { days: 30 } }, /give twoFactor/],
  ])('refuses %s', (_, sessions, message) => {
    expect(() => start(sessions)).toThrow(message)
  })

  it('refuses a remembered session that ends before others', () => {
    const sessions = { devices: true, remember: { days: 1 } }
    expect(() => start(sessions, 2 * 1440)).toThrow(/sessions\.remember\.days: .*give more days/)
  })
})
