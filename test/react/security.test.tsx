import { afterEach, describe, expect, it } from 'vitest'
import { CODE, OTHER_SECRET, RECOVERY_CODES } from '../client/fake-service.ts'
import {
  ada,
  alertText,
  base,
  button,
  closeAndRestore,
  described,
  eventually,
  field,
  one,
  openPanel,
  press,
  refresh,
  settled,
  statusText,
  type,
} from './open-panel.tsx'
import {
  ON,
  FORCED,
  openSecurity,
  openSetUp,
  openCodes,
  enter,
  acknowledge,
  turnOff,
  told,
  marked,
  headed,
  isAt,
  section,
  key,
  shownCodes,
  nameOf,
  tabs,
} from './security-page.tsx'

afterEach(closeAndRestore)

describe('Security, with other tabs', () => {
  it('notifies them of a change', async () => {
    const { channel, sent } = tabs()
    await openCodes({ channel })
    expect(sent).toEqual(['two-factor-changed', 'two-factor-changed'])
    await acknowledge()
    await press('Done')
    expect(sent).toHaveLength(3)
    await turnOff()
    expect(sent).toHaveLength(4)
  })

  it('shows their changes', async () => {
    const { channel, receive } = tabs()
    const { service } = await openSecurity({ channel })
    service.factor = ON
    receive('two-factor-changed')
    await marked('On')
  })

  it('continues its own set-up while that is valid', async () => {
    const { channel, receive } = tabs()
    await openSetUp({ channel })
    receive('two-factor-changed')
    await settled()
    expect(key()).toBe('KGKJ HRFD 7A2Q P734')
  })

  it('shows the key of a set-up that another tab has started over', async () => {
    const { channel, sent, receive } = tabs()
    const { service } = await openSetUp({ channel })
    await enter('000000')
    await service.client.call('two-factor.setup', { fresh: true })
    receive('two-factor-changed')
    await settled()
    expect(key()).toBe('OTHE RKEY 2222 3333')
    expect(one('img').getAttribute('src')).toBe(OTHER_SECRET.qr_code)
    expect(sent).toHaveLength(1)
  })

  it('keeps showing the recovery codes', async () => {
    const { channel, receive } = tabs()
    await openCodes({ channel })
    receive('two-factor-changed')
    await settled()
    expect(shownCodes()).toEqual(RECOVERY_CODES)
  })
})

describe('Security, turn off', () => {
  it('S9 asks with the focus on the harmless answer, and Escape keeps it on', async () => {
    const { service } = await openSecurity({ factor: ON })
    button('Turn off').focus()
    await press('Turn off')
    const dialog = one('[role=alertdialog]')
    expect(nameOf(dialog)).toBe('Turn off two-factor authentication?')
    expect(described(dialog)).toBe(
      'You will log in with your password only. Your recovery codes stop working.',
    )
    expect(dialog.querySelector('button')?.textContent).toBe('Keep it on')
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await settled()
    expect(document.querySelector('dialog')).toBeNull()
    expect(service.calls).not.toContain('two-factor.disable')
  })

  it('S9 turns it off, announces it, and focuses the heading', async () => {
    await openSecurity({ factor: ON })
    await turnOff()
    await marked('Off')
    expect(statusText()).toBe('Two-factor authentication is off.')
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('asks for a confirmation where the service demands one, and then turns it off', async () => {
    const { service } = await openSecurity({ factor: ON })
    service.refuse('two-factor.disable', {
      status: 403,
      key: 'svc::auth.confirmation_required',
      confirmation_required: true,
    })
    await turnOff()
    await eventually(() => field('Password'))
    type('Password', 'right')
    await press('Confirm')
    await marked('Off')
    expect(service.confirmations).toEqual([{ password: 'right' }])
  })

  it('shows the actual state when the answer is lost', async () => {
    const { service } = await openSecurity({ factor: ON })
    service.fail('two-factor.disable')
    await turnOff()
    await told('We could not reach the server.')
    await marked('On')
    service.fail('two-factor.disable')
    service.factor = { ...ON, enabled: false }
    await turnOff()
    await marked('Off')
    await settled()
    expect(alertText()).toBe('')
  })

  it('removes the button when it has become required meanwhile', async () => {
    const { service } = await openSecurity({ factor: ON })
    service.factor = { ...ON, required: true }
    service.refuse('two-factor.disable', {
      status: 403,
      key: 'svc::auth.required_cannot_disable',
    })
    await turnOff()
    await told('Your role requires two-factor authentication')
    expect(() => button('Turn off')).toThrow('no button')
    expect(document.body.textContent.split('Your role requires')).toHaveLength(2)
  })

  it('S10 has no button when it is required, and shows the reason as text', async () => {
    await openSecurity({ factor: { ...ON, required: true } })
    expect(() => button('Turn off')).toThrow('no button')
    expect(section().textContent).toContain(
      'Your role requires two-factor authentication, so it cannot be turned off.',
    )
  })
})

describe('Security, forced', () => {
  it('S11 shows the reason before the heading, no navigation, and Log out', async () => {
    await openSecurity({ factor: FORCED, at: '/orders' })
    const reason = one('[data-svc-part=forced]')
    expect(reason.textContent).toContain('Set it up to continue to the panel.')
    expect(reason.compareDocumentPosition(one('h1'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(document.querySelector('nav')).toBeNull()
    expect(document.querySelector('header a')).toBeNull()
    expect(button('Log out')).toBeDefined()
  })

  it('opens the panel only when the codes are saved, whatever requests the user', async () => {
    const { session } = await openCodes({ factor: FORCED, at: '/orders' })
    expect(document.querySelector('[data-svc-part=forced]')).toBeNull()
    await refresh(session)
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    await acknowledge()
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('can be continued when the service did not answer at first', async () => {
    const { service } = await openCodes({ factor: FORCED, at: '/orders' })
    service.fail('user')
    await acknowledge()
    await press('Done')
    await headed('Security')
    for (const code of RECOVERY_CODES) expect(document.body.innerHTML).not.toContain(code)
    service.refuse('user', { status: 503, key: 'svc::auth.unavailable' })
    await press('Done')
    await told('Something went wrong on our side.')
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('refers a user who never saw the codes to an administrator', async () => {
    const { service, session } = await openSetUp({ factor: FORCED, at: '/orders' })
    service.factor = { ...FORCED, enabled: true }
    service.fail('two-factor.confirm')
    await enter(CODE)
    await told('Ask an administrator to reset it.')
    await refresh(session)
    expect(alertText()).toContain('Ask an administrator to reset it.')
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('shows an error when logging out does not reach the server', async () => {
    const { service } = await openSecurity({ factor: FORCED })
    service.fail('logout')
    await press('Log out')
    await told('We could not reach the server.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(document.title).toBe('Error: Security · Acme Panel')
  })
})

describe('Security, no contract', () => {
  it('S12 has no entry in the navigation, and no page at the address', async () => {
    const { service } = await openPanel({ user: ada, at: '/security' })
    await headed('Page not found')
    expect(document.querySelector('nav')).toBeNull()
    expect(service.calls.filter((name) => name.startsWith('two-factor'))).toEqual([])
  })
})
