import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PanelMessage } from '../../web/client/session/panel-channel.ts'
import { CODE, OTHER_SECRET } from '../client/fake-service.ts'
import {
  alertText,
  button,
  closeAndRestore,
  closePanel,
  eventually,
  field,
  one,
  press,
  statusText,
  type,
} from './open-panel.tsx'
import { key, ON, openSecurity, told } from './security-page.tsx'
import type { Opening } from './security-page.tsx'

const PROOF = 'Code from an app you have, or a recovery code'
const NAME = 'Name of the app or device'
const FIRST_CODE = 'Code shown by the app'
const NAMELESS = {
  id: 'first',
  name: null,
  added_at: null,
  last_used_at: '2026-11-23T08:00:00.000Z',
}
const PIXEL = {
  id: 'pixel',
  name: 'Pixel',
  added_at: '2026-11-20T09:30:00.000Z',
  last_used_at: null,
}

afterEach(closeAndRestore)

async function openDevices(devices: readonly object[], opening: Opening = {}) {
  return openSecurity({ factor: { ...ON, devices } as never, ...opening })
}

const named = (id: string) => ({ ...PIXEL, id, name: id })
const listed = () =>
  [...document.querySelectorAll('[data-svc-part=device]')].map(({ textContent }) => textContent)
const note = () => document.querySelector('[data-svc-part=note]')?.textContent

describe('the apps of a user', () => {
  it('are listed with the dates of their addition and of their last code', async () => {
    await openDevices([NAMELESS, PIXEL])
    expect(listed()).toEqual([
      'Authenticator appLast used Nov 23, 2026.Remove',
      'PixelAdded Nov 20, 2026.Remove',
    ])
    expect(button('Remove: Pixel').textContent).toBe('Remove')
  })

  it('are not mentioned where the service keeps one for each user', async () => {
    await openSecurity({ factor: ON })
    expect(document.querySelector('[data-svc-part=devices]')).toBeNull()
    expect(document.body.textContent).not.toContain('Add another app')
  })

  it('cannot be removed down to none, and are five at most', async () => {
    await openDevices([NAMELESS])
    expect(listed()).toEqual(['Authenticator appLast used Nov 23, 2026.'])
    closePanel()
    await openDevices(['a', 'b', 'c', 'd', 'e'].map(named))
    expect(listed()).toHaveLength(5)
    expect(document.body.textContent).toContain('You can have five apps.')
    expect(() => button('Add another app')).toThrow()
  })

  it('have names that are shown as text', async () => {
    await openDevices([NAMELESS, { ...PIXEL, name: '<b>x</b>\u202Eevil' }])
    expect(listed()[1]).toContain('<b>x</b>\u202Eevil')
    expect(document.querySelector('[data-svc-part=device] b')).toBeNull()
    // A direction that a name sets ends with the name.
    expect(document.querySelectorAll('bdi[data-svc-part=device-name]')).toHaveLength(2)
  })
})

/** Opens the form for a further app, and shows that it is the user. */
async function openSetUp(opening?: Opening) {
  const opened = await openDevices([NAMELESS], opening)
  await press('Add another app')
  type(PROOF, CODE)
  await press('Continue')
  await eventually(() => one('img'))
  return opened
}

describe('a further app', () => {
  it('is set up after a code of the user, and is then listed', async () => {
    const sent: PanelMessage[] = []
    const channel = {
      send: (message: PanelMessage) => void sent.push(message),
      listen: () => () => {},
    }
    const { service } = await openSetUp({ channel })
    expect(key()).toBe(OTHER_SECRET.secret.match(/.{4}/g)?.join(' '))
    expect(document.querySelectorAll('section')).toHaveLength(1)
    expect(document.activeElement?.textContent).toBe('Add another app')
    type(NAME, 'Tablet')
    type(FIRST_CODE, ` ${CODE.slice(0, 3)} ${CODE.slice(3)} `)
    await press('Add app')
    await eventually(() => expect(listed()).toHaveLength(2))
    expect(note()).toBe('\u2068Tablet\u2069 is added. You can log in with its codes.')
    expect(statusText()).toBe(note())
    expect(document.activeElement?.textContent).toBe('Two-factor authentication')
    expect(service.codes).toEqual([CODE, CODE])
    expect(sent).toContain('two-factor-changed')
  })

  it('is not set up without a code, or with a wrong one', async () => {
    const { service } = await openDevices([NAMELESS])
    await press('Add another app')
    await press('Continue')
    expect(alertText()).toContain('Enter your code')
    expect(service.calls).not.toContain('two-factor.devices.begin')
    type(PROOF, '000000')
    await press('Continue')
    await told('That code is not right.')
    expect(field(PROOF).value).toBe('')
    expect(document.querySelector('img')).toBeNull()
  })

  it('needs a name and its first code, and keeps the name when the code is wrong', async () => {
    await openSetUp()
    await press('Add app')
    expect(alertText()).toContain('Enter a name')
    expect(alertText()).toContain('Enter your code')
    type(NAME, 'Tablet')
    type(FIRST_CODE, '000000')
    await press('Add app')
    await told('That code is not right.')
    expect(field(NAME).value).toBe('Tablet')
    expect(field(FIRST_CODE).value).toBe('')
  })

  it('has a key to copy by hand where the clipboard is closed', async () => {
    await openSetUp()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('closed'))
    await press('Copy set-up key')
    await eventually(() =>
      expect(document.body.textContent).toContain('Could not copy. Select the text'),
    )
  })

  it('is not added when the user cancels', async () => {
    const { service } = await openSetUp()
    await press('Cancel')
    expect(listed()).toHaveLength(1)
    expect(note()).toBeUndefined()
    expect(service.calls).not.toContain('two-factor.devices.confirm')
  })

  it('waits for as long as the service says', async () => {
    const { service } = await openDevices([NAMELESS])
    await press('Add another app')
    service.refuse('two-factor.devices.begin', {
      status: 422,
      key: 'svc::auth.throttle',
      retry_after: 42,
    })
    type(PROOF, CODE)
    await press('Continue')
    await told('Too many attempts. Try again in 42 seconds.')
    expect(button('Continue').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('an app that is removed', () => {
  it('needs a code, and is then gone', async () => {
    const { service } = await openDevices([NAMELESS, PIXEL])
    await press('Remove: Pixel')
    expect(document.body.textContent).toContain('Codes of \u2068Pixel\u2069 stop working at once.')
    type(PROOF, '000000')
    await press('Remove')
    await told('That code is not right.')
    type(PROOF, CODE)
    await press('Remove')
    await eventually(() => expect(listed()).toHaveLength(1))
    expect(note()).toBe('\u2068Pixel\u2069 is removed.')
    expect(statusText()).toBe(note())
    expect(service.codes).toEqual(['000000', CODE])
  })

  it('is not called removed before the list is without it', async () => {
    const { service } = await openDevices([NAMELESS, PIXEL])
    await press('Remove: Pixel')
    const answer = service.hold('two-factor')
    type(PROOF, CODE)
    await press('Remove')
    expect(note()).toBeUndefined()
    expect(one('form').getAttribute('aria-busy')).toBe('true')
    answer()
    await eventually(() => expect(note()).toBe('\u2068Pixel\u2069 is removed.'))
    expect(listed()).toHaveLength(1)
  })

  it('stays when the user cancels, or the service cannot be reached', async () => {
    const { service } = await openDevices([NAMELESS, PIXEL])
    await press('Remove: Pixel')
    service.fail('two-factor.devices.remove')
    type(PROOF, CODE)
    await press('Remove')
    await told('We could not reach the server.')
    await press('Cancel')
    expect(listed()).toHaveLength(2)
  })

  it('is refused in words when it is the last one meanwhile', async () => {
    const { service } = await openDevices([NAMELESS, PIXEL])
    await press('Remove: Pixel')
    service.refuse('two-factor.devices.remove', {
      status: 409,
      key: 'svc::auth.two_factor_last_device',
    })
    type(PROOF, CODE)
    await press('Remove')
    await told('This is your only app.')
  })
})
