import { afterEach, describe, expect, it, vi } from 'vitest'
import { CODE } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  alertText,
  button,
  closeAndRestore,
  eventually,
  one,
  openPanel,
  press,
} from './open-panel.tsx'
import { settled, type } from './open-panel.tsx'
import {
  HERE,
  PHONE,
  acknowledge,
  CONFIRMED,
  enter,
  marked,
  ON,
  openCodes,
  openSecurity,
  openSetUp,
  section,
  tabs,
  told,
  turnOff,
  warning,
} from './security-page.tsx'
import type { Opening } from './security-page.tsx'

afterEach(closeAndRestore)

const APP = { id: 'app', name: null, added_at: null, last_used_at: null }
const PIXEL = { ...APP, id: 'pixel', name: 'Pixel' }
const TOLD = { devices: [APP], recovery_codes_left: 10 }
const SEVERAL = { ...ON, ...TOLD, devices: [APP, PIXEL] }

const note = () => document.querySelector('[data-svc-part=note]')?.textContent
const requests = ({ calls }: FakeService, name: string) =>
  calls.filter((called) => called === name).length

describe('the Security page after the first set-up', () => {
  const opening: Opening = { prepare: (service) => (service.onceOn = TOLD) }

  it('offers another app, and has the number of recovery codes, without a reload', async () => {
    await openCodes(opening)
    await acknowledge()
    await press('Done')
    await marked('On')
    await eventually(() => button('Add another app'))
    expect(section().textContent).toContain('10 recovery codes left.')
    expect(warning()).toBeNull()
  })

  it('has the codes confirmed if the service does not tell the rest, and no alert', async () => {
    const { service } = await openCodes(opening)
    await acknowledge()
    service.fail('two-factor')
    await press('Done')
    await marked('On')
    expect(service.factor.codes_unseen).toBe(false)
    expect(warning()).toBeNull()
    expect(alertText()).toBe('')
  })

  it('is off if another tab has turned it off meanwhile', async () => {
    const { service } = await openCodes(opening)
    await acknowledge()
    const answer = service.hold('two-factor')
    await press('Done')
    service.factor = { ...ON, enabled: false }
    answer()
    await marked('Off')
  })

  it('reports confirmed codes to other tabs, whose advice ends', async () => {
    const { channel, sent } = tabs()
    const { service } = await openCodes({ ...opening, channel })
    sent.length = 0
    await acknowledge()
    one('.svc-to-home').click()
    await vi.waitFor(() => expect(service.calls).toContain(CONFIRMED))
    await vi.waitFor(() => expect(sent).toEqual(['two-factor-changed']))
  })
})

describe('a change in another tab', () => {
  it('is shown also if a request runs at that moment', async () => {
    const { channel, receive } = tabs()
    const { service } = await openSecurity({ channel })
    const answer = service.hold('two-factor')
    receive('two-factor-changed')
    await settled()
    const answerNext = service.hold('two-factor')
    receive('two-factor-changed')
    answer()
    await settled()
    // The first request was answered before this change.
    service.factor = ON
    answerNext()
    await marked('On')
  })

  it('leaves the message about the last step where it is', async () => {
    const { channel, receive } = tabs()
    const { service } = await openSetUp({ channel })
    await enter('000000')
    await told('That code is not right.')
    const before = requests(service, 'two-factor')
    service.fail('two-factor')
    receive('two-factor-changed')
    await eventually(() => expect(requests(service, 'two-factor')).toBe(before + 1))
    await settled()
    expect(alertText()).toContain('That code is not right.')
  })

  it('closes the form of an app if the second factor is off, and it stays closed', async () => {
    const { channel, receive } = tabs()
    const { service } = await openSecurity({ channel, factor: SEVERAL })
    await press('Remove: Pixel')
    service.factor = { ...ON, enabled: false }
    receive('two-factor-changed')
    await marked('Off')
    service.factor = SEVERAL
    receive('two-factor-changed')
    await marked('On')
    expect(button('Remove: Pixel')).toBeDefined()
  })

  it('forgets that an app was added once the second factor was off', async () => {
    const { channel, receive } = tabs()
    const { service } = await openSecurity({ channel, factor: SEVERAL })
    await press('Remove: Pixel')
    type('Code from an app you have, or a recovery code', CODE)
    await press('Remove')
    await eventually(() => expect(note()).toContain('is removed.'))
    await turnOff()
    await marked('Off')
    service.factor = { ...ON, ...TOLD }
    receive('two-factor-changed')
    await marked('On')
    expect(note()).toBeUndefined()
  })
})

const TRUSTED = { ...PHONE, expires_at: '2026-12-20T09:30:00.000Z' }

/** Opens the page with every list below the second factor. */
async function openLists(channel = tabs().channel) {
  const opened = await openPanel({
    at: '/security',
    user: ada,
    channel,
    page: { twoFactor: 'bound', sessions: true, trustDays: 30, activity: true },
    prepare(service) {
      service.factor = ON
      service.sessions = [HERE, PHONE]
      service.trustedDevices = [TRUSTED]
    },
  })
  await eventually(() => expect(listed()).toEqual([2, 1]))
  await eventually(() => expect(opened.service.calls).toContain('activity'))
  await settled()
  return opened
}

/** Returns the number of sessions and of trusted devices on the page. */
const listed = () =>
  ['Sessions', 'Trusted devices'].map((title) => {
    const heading = [...document.querySelectorAll('h2')].find(
      ({ textContent }) => textContent === title,
    )
    return heading?.closest('section')?.querySelectorAll('[data-svc-part=session]').length
  })

/** The service ends what a change of the account ends. */
function endOthers(service: FakeService): void {
  service.sessions = [HERE]
  service.trustedDevices = []
}

describe('the lists of the account', () => {
  it('are requested again after the second factor was turned off', async () => {
    const { service } = await openLists()
    endOthers(service)
    const events = requests(service, 'activity')
    await press('Turn off')
    one('[data-svc-part=danger]').click()
    await eventually(() => expect(listed()).toEqual([1, 0]))
    expect(requests(service, 'activity')).toBe(events + 1)
  })

  it('are requested again after all other sessions were ended, which ends trusted devices', async () => {
    const { channel, sent } = tabs()
    const { service } = await openLists(channel)
    const before = requests(service, 'sessions')
    await press('End all others')
    service.trustedDevices = []
    await press('End them')
    await eventually(() => expect(listed()).toEqual([1, 0]))
    expect(requests(service, 'sessions')).toBe(before + 1)
    expect(sent).toEqual(['account-changed'])
  })

  it.each(['account-changed', 'two-factor-changed'] as const)(
    'are requested again when another tab sends %s',
    async (message) => {
      const { channel, receive } = tabs()
      const { service } = await openLists(channel)
      endOthers(service)
      receive(message)
      await eventually(() => expect(listed()).toEqual([1, 0]))
    },
  )

  it('stay as they are, without an alert, if that request fails', async () => {
    const { channel, receive } = tabs()
    const { service } = await openLists(channel)
    const focused = document.activeElement
    vi.stubGlobal('reportError', () => {})
    service.fail('sessions')
    service.fail('trusted-devices')
    service.fail('activity')
    receive('account-changed')
    await eventually(() => expect(requests(service, 'activity')).toBe(2))
    await settled()
    expect(listed()).toEqual([2, 1])
    expect(document.querySelector('[data-svc-part=alert-message]')).toBeNull()
    expect(document.querySelector('[data-svc-part=retry]')).toBeNull()
    expect(document.activeElement).toBe(focused)
  })

  it('are current also if another tab has changed them while the page was requesting them', async () => {
    const { channel, receive } = tabs()
    const { service } = await openLists(channel)
    const answer = service.hold('sessions')
    receive('account-changed')
    await settled()
    const answerNext = service.hold('sessions')
    receive('account-changed')
    answer()
    await settled()
    endOthers(service)
    answerNext()
    await eventually(() => expect(listed()[0]).toBe(1))
  })
})

describe('a new password', () => {
  it('is reported to other tabs, whose lists it changes', async () => {
    const { channel, sent } = tabs()
    const { session } = await openLists(channel)
    await session.changePassword({ current_password: 'old', password: 'a new long password' })
    expect(sent).toEqual(['account-changed'])
  })

  it('is not reported if it was refused', async () => {
    const { channel, sent } = tabs()
    const { service, session } = await openLists(channel)
    service.refuse('password.change', { status: 422, key: 'svc::auth.failed' })
    await session.changePassword({ current_password: 'wrong', password: 'a new long password' })
    expect(sent).toEqual([])
  })
})
