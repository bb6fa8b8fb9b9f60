import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CODE, OTHER_SECRET, SECRET } from '../client/fake-service.ts'
import {
  ada,
  alertText,
  button,
  closeAndRestore,
  described,
  eventually,
  field,
  one,
  pass,
  press,
  settled,
  statusText,
  stopCountdown,
  type,
} from './open-panel.tsx'
import {
  FORCED,
  LABEL,
  ON,
  openCodes,
  openSecurity,
  openSetUp,
  enter,
  told,
  marked,
  headed,
  clipboard,
  section,
  key,
  nameOf,
  shownCodes,
  tabs,
  warning,
} from './security-page.tsx'

afterEach(closeAndRestore)

describe('Security, off', () => {
  it('S1 is a section named by its heading, with the state as text', async () => {
    await openSecurity()
    expect(nameOf(section())).toBe('Two-factor authentication')
    expect(one('section h2').textContent).toBe('Two-factor authentication')
    await marked('Off')
    expect(document.activeElement).toBe(one('h1'))
  })

  it('S1 shows On when it is enabled', async () => {
    await openSecurity({ factor: ON })
    await marked('On')
  })

  it('offers to continue a set-up', async () => {
    await openSecurity({ factor: { ...ON, enabled: false, pending: true } })
    await press('Continue set-up')
    expect(key()).toBe('KGKJ HRFD 7A2Q P734')
  })

  it('can be loaded again when the service did not answer', async () => {
    await openSecurity({ prepare: (service) => service.fail('two-factor') })
    await told('We could not reach the server.')
    expect(document.title).toBe('Error: Security · Acme Panel')
    await press('Try again')
    await marked('Off')
    await vi.waitFor(() => expect(alertText()).toBe(''))
    expect(document.activeElement).toBe(one('section h2'))
  })
})

describe('Security, set-up', () => {
  it('S2 has an image with a fixed alternative text, and the key in no attribute', async () => {
    await openSetUp()
    const image = one('img')
    expect(image.getAttribute('alt')).toBe('QR code that adds this account to an authenticator app')
    expect(image.getAttribute('src')).toBe(SECRET.qr_code)
    expect(document.querySelector('main svg')).toBeNull()
    const values = [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes].map(({ value }) => value.replaceAll(' ', '')),
    )
    expect(values.filter((value) => value.includes(SECRET.secret))).toEqual([])
  })

  it('S3 shows the key in groups of four, and copies it without blanks', async () => {
    const write = clipboard()
    await openSetUp()
    expect(key()).toBe('KGKJ HRFD 7A2Q P734')
    const around = one('[data-svc-part=set-up-key] [dir=ltr]')
    expect(around.getAttribute('translate')).toBe('no')
    await press('Copy set-up key')
    expect(write).toHaveBeenCalledExactlyOnceWith(SECRET.secret)
    expect(statusText()).toBe('Copied')
    expect(one('[data-svc-part=copied]').textContent).toBe('Copied')
  })

  it('S3 selects the key when it cannot be copied, and says so', async () => {
    clipboard().mockRejectedValueOnce(new Error('no permission'))
    await openSetUp()
    await press('Copy set-up key')
    await told('Could not copy. Select the text and copy it yourself.')
    expect(getSelection()?.toString()).toBe(key())
    expect(document.activeElement).not.toBe(one('[role=alert]'))
  })

  it('has two steps, and the key folded into the first', async () => {
    await openSetUp()
    const steps = [...document.querySelectorAll('h3')].map(({ textContent }) => textContent)
    expect(steps).toEqual(['1 Scan', '2 Enter the code'])
    const details = one('details')
    expect(details.querySelector('summary')?.textContent).toBe(
      'Cannot scan it? Type this key into the app.',
    )
    expect(details.contains(one('[data-svc-part=set-up-key]'))).toBe(true)
    expect(details.contains(one('img'))).toBe(false)
  })

  it('shows the key first on a phone, and folds the image', async () => {
    const query = matchMedia('(max-width: 480px)')
    vi.spyOn(query, 'matches', 'get').mockReturnValue(true)
    vi.spyOn(globalThis, 'matchMedia').mockReturnValue(query)
    await openSetUp()
    const steps = [...document.querySelectorAll('h3')].map(({ textContent }) => textContent)
    expect(steps).toEqual(['1 Add the key', '2 Enter the code'])
    expect(one('details').contains(one('[data-svc-part=set-up-key]'))).toBe(false)
    expect(one('details').contains(one('img'))).toBe(true)
  })

  it('S4 has a field for the code, and focuses the heading first', async () => {
    await openSetUp()
    expect(document.activeElement).toBe(one('section h2'))
    expect(document.activeElement?.textContent).toBe('Set up two-factor authentication')
    expect(field(LABEL).type).toBe('text')
    expect(field(LABEL).getAttribute('inputmode')).toBe('numeric')
    expect(field(LABEL).getAttribute('autocomplete')).toBe('one-time-code')
    expect(field(LABEL).hasAttribute('maxlength')).toBe(false)
    // On an Arabic page, `123 456` would be shown as `456 123`.
    expect(field(LABEL).getAttribute('dir')).toBe('auto')
  })

  it('S5 shows an alert for a wrong code, empties and focuses the field, and keeps the image', async () => {
    await openSetUp()
    await enter('000000')
    await told('That code is not right. Try the newest code in the app.')
    expect(document.activeElement).toBe(field(LABEL))
    expect(field(LABEL).value).toBe('')
    expect(field(LABEL).getAttribute('aria-invalid')).toBe('true')
    expect(described(field(LABEL))).toContain('That code is not right.')
    expect(one('img').getAttribute('src')).toBe(SECRET.qr_code)
    expect(document.title).toBe('Error: Security · Acme Panel')
  })

  it('mentions the clock from the second wrong code on', async () => {
    await openSetUp()
    await enter('000000')
    expect(alertText()).not.toContain('clock')
    await enter('000000')
    await told('Check that your phone sets its clock automatically.')
  })

  it('does not send an empty code, and removes blanks', async () => {
    const { service } = await openSetUp()
    await enter(' ')
    await told('Enter your code')
    expect(service.calls).not.toContain('two-factor.confirm')
    await enter('123 456')
    expect(service.codes).toEqual([CODE])
  })

  it('sends a code once, however often Enter is pressed', async () => {
    const { service } = await openSetUp()
    const release = service.hold('two-factor.confirm')
    type(LABEL, CODE)
    button('Turn on').click()
    await press('Turn on')
    expect(button('Checking…')).toBeDefined()
    release()
    await settled()
    expect(service.codes).toEqual([CODE])
  })

  it('can be left and continued', async () => {
    await openSetUp()
    await press('Cancel')
    expect(document.activeElement).toBe(one('section h2'))
    await press('Continue set-up')
    expect(one('img').getAttribute('src')).toBe(SECRET.qr_code)
  })

  it('starts over with another key, and focuses its heading', async () => {
    await openSetUp()
    button('Start over').focus()
    await press('Start over')
    expect(one('img').getAttribute('src')).toBe(OTHER_SECRET.qr_code)
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('shows that it has expired, and offers to start over', async () => {
    const { service } = await openSetUp()
    service.refuse('two-factor.confirm', {
      status: 422,
      key: 'svc::auth.two_factor_setup_missing',
    })
    await enter(CODE)
    await told('The set-up took too long. Start over and scan the new code.')
    expect(button('Start over')).toBeDefined()
  })

  it('shows On when it was set up elsewhere', async () => {
    const { service } = await openSetUp()
    service.factor = ON
    service.refuse('two-factor.confirm', {
      status: 409,
      key: 'svc::auth.two_factor_already_enabled',
    })
    await enter(CODE)
    await told('Two-factor authentication is on already.')
    await marked('On')
  })

  it('leads to the login when the session has ended', async () => {
    const { service } = await openSetUp()
    service.user = null
    service.refuse('two-factor.confirm', { status: 401, key: 'svc::auth.unauthenticated' })
    await enter(CODE)
    await told('Your session ended. Log in again to continue.')
  })
})

describe('Security, a limited route', () => {
  beforeEach(stopCountdown)

  it('shows the wait, and sends nothing until then', async () => {
    const { service } = await openSetUp()
    service.refuse('two-factor.confirm', {
      status: 429,
      key: 'svc::auth.too_many_requests',
      retry_after: 30,
    })
    await enter('000000')
    await told('Wait 30 seconds and try again.')
    expect(button('Turn on').getAttribute('aria-disabled')).toBe('true')
    expect(described(button('Turn on'))).toContain('Wait 30 seconds')
    const { length } = service.calls
    await enter(CODE)
    expect(service.calls).toHaveLength(length)
    await pass(30_000)
    await told('You can try again now.')
    expect(button('Turn on').hasAttribute('aria-disabled')).toBe(false)
    await enter(CODE)
    await headed('Save your recovery codes')
  })
})

describe('Security, a code whose answer is lost', () => {
  it('shows that it is on and that the codes were not shown', async () => {
    const { service } = await openSetUp()
    service.factor = ON
    service.fail('two-factor.confirm')
    await enter(CODE)
    await marked('On')
    await told(
      'we could not show your recovery codes. Turn it off and set it up again to get codes.',
    )
    expect(document.activeElement).toBe(one('[role=alert]'))
  })

  it('shows that too after a 503', async () => {
    const { service } = await openSetUp()
    service.factor = ON
    service.refuse('two-factor.confirm', { status: 503, key: 'svc::auth.unavailable' })
    await enter(CODE)
    await told('we could not show your recovery codes.')
  })

  it('can be sent again while the second factor is off', async () => {
    const { service } = await openSetUp()
    service.fail('two-factor.confirm')
    await enter(CODE)
    await told('We could not reach the server.')
    expect(field(LABEL).value).toBe(CODE)
    await enter(CODE)
    await headed('Save your recovery codes')
  })

  it('is remembered until the status can be loaded', async () => {
    const { service } = await openSetUp()
    service.fail('two-factor.confirm')
    service.fail('two-factor')
    await enter(CODE)
    await told('We could not reach the server.')
    service.factor = ON
    service.refuse('two-factor.confirm', {
      status: 409,
      key: 'svc::auth.two_factor_already_enabled',
    })
    await enter(CODE)
    await told('we could not show your recovery codes.')
  })
})

describe('Security, the end of a session while the second factor is turned on', () => {
  it('explains at the login what has happened when the answer was lost', async () => {
    const { service } = await openSetUp()
    service.user = null
    service.fail('two-factor.confirm')
    service.refuse('two-factor', { status: 401, key: 'svc::auth.unauthenticated' })
    await enter(CODE)
    await told('We lost the connection while turning on two-factor authentication')
    await headed('Log in')
    expect(alertText()).not.toContain('Your session ended. Log in again to continue.')
    expect(document.activeElement).toBe(one('[role=alert]'))
  })

  it('shows the recovery codes of a set-up that a role demands to no other user', async () => {
    const { channel, receive } = tabs()
    const { service, session } = await openCodes({ channel, factor: FORCED })
    service.user = null
    receive('logged-out')
    await headed('Log in')
    service.user = { ...ada, id: '2' }
    await session.refresh()
    await headed('Security')
    await eventually(() => expect(warning()).not.toBeNull())
    expect(shownCodes()).toEqual([])
  })
})
