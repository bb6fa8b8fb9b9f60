import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PanelChannel } from '../../src/client/client.ts'
import type { PanelMessage } from '../../src/client/panel-channel.ts'
import { CODE, OTHER_SECRET, RECOVERY_CODES, SECRET } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  address,
  alertText,
  base,
  button,
  closePanel,
  described,
  field,
  one,
  openPanel,
  pass,
  settled,
  statusText,
  type,
} from './open-panel.tsx'

const LABEL = 'Code shown by the app'
const ON = { enabled: true, required: false, pending: false, codes_unseen: false }
const FORCED = { enabled: false, required: true, pending: false, codes_unseen: false }

afterEach(() => {
  closePanel()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('Security, off', () => {
  it('S1 is a section named by its heading, with the state as text', async () => {
    await openSecurity()
    expect(nameOf(section())).toBe('Two-factor authentication')
    expect(one('section h2').textContent).toBe('Two-factor authentication')
    await marked('Off')
    expect(document.activeElement).toBe(one('h1'))
  })

  it('S1 says On when it is', async () => {
    await openSecurity({ factor: ON })
    await marked('On')
  })

  it('offers to go on with a set-up that was begun', async () => {
    await openSecurity({ factor: { ...ON, enabled: false, pending: true } })
    await press('Continue set-up')
    expect(key()).toBe('KGKJ HRFD 7A2Q P734')
  })

  it('can be asked for again when the service did not answer', async () => {
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
  it('S2 has an image with a fixed text, and the key in no attribute', async () => {
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

  it('S3 selects the key where it cannot be copied, and says so', async () => {
    clipboard().mockRejectedValueOnce(new Error('no permission'))
    await openSetUp()
    await press('Copy set-up key')
    await told('Could not copy. Select the text and copy it yourself.')
    expect(getSelection()?.toString()).toBe(key())
    expect(document.activeElement).not.toBe(one('[role=alert]'))
  })

  it('S4 has a field for the code; the focus is on the heading first', async () => {
    await openSetUp()
    expect(document.activeElement).toBe(one('section h2'))
    expect(document.activeElement?.textContent).toBe('Set up two-factor authentication')
    expect(field(LABEL).type).toBe('text')
    expect(field(LABEL).getAttribute('inputmode')).toBe('numeric')
    expect(field(LABEL).getAttribute('autocomplete')).toBe('one-time-code')
    expect(field(LABEL).hasAttribute('maxlength')).toBe(false)
  })

  it('S5 wrong code: alert, field focused and emptied, image unchanged', async () => {
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

  it('speaks of the clock from the second wrong code on', async () => {
    await openSetUp()
    await enter('000000')
    expect(alertText()).not.toContain('clock')
    await enter('000000')
    await told('Check that your phone sets its clock automatically.')
  })

  it('keeps an empty code to itself, and takes blanks out of the others', async () => {
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
    button('Turn on').click()
    await settled()
    expect(button('Checking…')).toBeDefined()
    release()
    await settled()
    expect(service.codes).toEqual([CODE])
  })

  it('can be left, and gone on with', async () => {
    await openSetUp()
    await press('Cancel')
    expect(document.activeElement).toBe(one('section h2'))
    await press('Continue set-up')
    expect(one('img').getAttribute('src')).toBe(SECRET.qr_code)
  })

  it('starts over with another key, and says so by its heading', async () => {
    await openSetUp()
    button('Start over').focus()
    await press('Start over')
    expect(one('img').getAttribute('src')).toBe(OTHER_SECRET.qr_code)
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('says so when it took too long, with the way to start over at hand', async () => {
    const { service } = await openSetUp()
    service.refuse('two-factor.confirm', {
      status: 422,
      key: 'svc::auth.two_factor_setup_missing',
    })
    await enter(CODE)
    await told('The set-up took too long. Start over and scan the new code.')
    expect(button('Start over')).toBeDefined()
  })

  it('shows that it is on when it was set up elsewhere', async () => {
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

describe('Security, when the service holds back', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
  })

  it('says for how long, and sends nothing until then', async () => {
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
  it('says that it is on and that nobody has seen its codes', async () => {
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

  it('says so too when the service failed over it', async () => {
    const { service } = await openSetUp()
    service.factor = ON
    service.refuse('two-factor.confirm', { status: 503, key: 'svc::auth.unavailable' })
    await enter(CODE)
    await told('we could not show your recovery codes.')
  })

  it('can be sent again while it is off', async () => {
    const { service } = await openSetUp()
    service.fail('two-factor.confirm')
    await enter(CODE)
    await told('We could not reach the server.')
    expect(field(LABEL).value).toBe(CODE)
    await enter(CODE)
    await headed('Save your recovery codes')
  })

  it('is remembered while nobody can say what is true', async () => {
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

const UNSEEN = { ...ON, codes_unseen: true }
const CONFIRMED = 'two-factor.codes-seen'
const warning = () => document.querySelector('[data-svc-part=warning]')

describe('Security, recovery codes that nobody has confirmed', () => {
  it('are said every time the page is opened, with what to do', async () => {
    await openSecurity({ factor: UNSEEN })
    expect(warning()?.textContent).toContain(
      'You have not confirmed that your recovery codes are saved. If you do not have them, turn two-factor authentication off and set it up again.',
    )
    expect(alertText()).toBe('')
    expect(button('Turn off')).toBeDefined()
  })

  it('send a person whose role needs the second factor to an administrator', async () => {
    await openSecurity({ factor: { ...UNSEEN, required: true } })
    expect(warning()?.textContent).toContain(
      'ask an administrator to reset two-factor authentication.',
    )
  })

  it('are confirmed by the person who has them, which moves the focus to the heading', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    await press('I have saved my codes')
    expect(service.calls).toContain(CONFIRMED)
    expect(warning()).toBeNull()
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('stay unconfirmed while the service does not answer', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    service.fail(CONFIRMED)
    await press('I have saved my codes')
    await told('We could not reach the server.')
    expect(warning()).not.toBeNull()
  })

  it('are no matter any more once the second factor is off', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    await turnOff()
    await marked('Off')
    expect(warning()).toBeNull()
    expect(service.factor.codes_unseen).toBe(false)
  })

  it('are said after a lost answer too, once the alert says something else', async () => {
    const { service } = await openSetUp()
    service.factor = UNSEEN
    service.fail('two-factor.confirm')
    await enter(CODE)
    await told('we could not show your recovery codes.')
    expect(warning()).toBeNull()
    service.fail('two-factor.disable')
    await turnOff()
    await told('We could not reach the server.')
    expect(warning()).not.toBeNull()
  })

  it('hold the gate open until the person goes on', async () => {
    const { service, session } = await openSetUp({ factor: FORCED, at: '/orders' })
    service.fail('two-factor.confirm')
    service.factor = { ...FORCED, enabled: true, codes_unseen: true }
    await enter(CODE)
    await told('Ask an administrator to reset it.')
    await session.refresh()
    await settled()
    await press('Done')
    await isAt(`${base}/orders`)
  })
})

describe('Security, the end of a session while the second factor is turned on', () => {
  it('says at the login what has happened, where the answer never came', async () => {
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
})

describe('Security, recovery codes', () => {
  it('S6 are a list below a heading of their own, which has the focus', async () => {
    await openCodes()
    expect(document.activeElement).toBe(one('h1'))
    await headed('Save your recovery codes')
    expect(document.title).toBe('Save your recovery codes · Acme Panel')
    const list = one('ul')
    expect(list.getAttribute('aria-label')).toBe('Recovery codes')
    expect(list.getAttribute('translate')).toBe('no')
    expect(list.getAttribute('dir')).toBe('ltr')
    expect(shownCodes()).toEqual(RECOVERY_CODES)
  })

  it('stay on the screen until the service knows that they are saved', async () => {
    const { service } = await openCodes()
    service.fail(CONFIRMED)
    await acknowledge()
    await press('Done')
    await told('We could not reach the server.')
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    await press('Done')
    await headed('Security')
    expect(service.factor.codes_unseen).toBe(false)
  })

  it.each([
    ['is ticked', true],
    ['is not ticked', false],
  ])('are confirmed by leaving only where the box %s', async (_, ticked) => {
    const { service } = await openCodes()
    if (ticked) await acknowledge()
    vi.stubGlobal('confirm', () => true)
    one('.svc-to-home').click()
    await headed('Welcome, Ada')
    if (ticked) await vi.waitFor(() => expect(service.calls).toContain(CONFIRMED))
    expect(service.calls.includes(CONFIRMED)).toBe(ticked)
  })

  it('S7 have to be acknowledged before they are done with', async () => {
    const { service } = await openCodes()
    expect(button('Done').getAttribute('aria-disabled')).toBe('true')
    expect(described(button('Done'))).toBe('Tick the box first.')
    await press('Done')
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    await acknowledge()
    await press('Done')
    await headed('Security')
    expect(document.activeElement).toBe(one('h1'))
    expect(warning()).toBeNull()
    expect(service.calls.filter((name) => name === CONFIRMED)).toHaveLength(1)
    for (const code of RECOVERY_CODES) expect(document.body.innerHTML).not.toContain(code)
  })

  it('S7 ask before they are left by a link, Log out, Back or a reload', async () => {
    const asked = dismissed()
    const { service } = await openCodes()
    one('.svc-to-home').click()
    await settled()
    button('Log out').click()
    await settled()
    expect(service.calls).not.toContain('logout')
    history.replaceState(null, '', base)
    globalThis.dispatchEvent(new Event('popstate'))
    await settled()
    await isAt(`${base}/security`)
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    expect(asked.mock.calls).toEqual(
      Array.from({ length: 3 }, () => [
        'Your recovery codes will not be shown again. Leave anyway?',
      ]),
    )
    expect(leavingIsAsked()).toBe(true)
  })

  it('S7 do not ask for what leads nowhere else, nor once they are acknowledged', async () => {
    const asked = dismissed()
    await openCodes()
    one('nav a').click()
    await acknowledge()
    expect(leavingIsAsked()).toBe(false)
    one('.svc-to-home').click()
    await settled()
    await headed('Welcome, Ada')
    expect(asked).not.toHaveBeenCalled()
  })

  it('S8 are saved as a text file with every code in it', async () => {
    const blobs = vi.spyOn(URL, 'createObjectURL')
    // Here a click would load it in the place of the page.
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    await openCodes()
    await press('Download')
    expect(click).toHaveBeenCalledOnce()
    const [blob] = blobs.mock.calls[0] ?? []
    if (!(blob instanceof Blob)) throw new Error('nothing was saved')
    const [title, , ...codes] = (await blob.text()).split('\r\n')
    expect(title).toContain('Recovery codes of ada@example.com for Acme Panel at localhost')
    expect(codes).toEqual([...RECOVERY_CODES, ''])
  })

  it('name account, panel, host and date on paper', async () => {
    await openCodes()
    await vi.waitFor(() =>
      expect(one('[data-svc-part=recovery-owner]').textContent).toMatch(
        /^Recovery codes of ada@example\.com for Acme Panel at localhost\S*, \d{4}-\d\d-\d\d$/,
      ),
    )
  })

  it('are copied one on each line', async () => {
    const write = clipboard()
    await openCodes()
    await press('Copy')
    expect(write).toHaveBeenCalledExactlyOnceWith(RECOVERY_CODES.join('\n'))
  })
})

describe('Security, with other tabs', () => {
  it('tells them what has changed', async () => {
    const { channel, sent } = tabs()
    await openCodes({ channel })
    expect(sent).toEqual(['two-factor-changed'])
    await acknowledge()
    await press('Done')
    await turnOff()
    expect(sent).toEqual(['two-factor-changed', 'two-factor-changed'])
  })

  it('shows what they have changed', async () => {
    const { channel, hear } = tabs()
    const { service } = await openSecurity({ channel })
    service.factor = ON
    hear('two-factor-changed')
    await marked('On')
  })

  it('goes on with a set-up of its own that is still good', async () => {
    const { channel, hear } = tabs()
    await openSetUp({ channel })
    hear('two-factor-changed')
    await settled()
    expect(key()).toBe('KGKJ HRFD 7A2Q P734')
  })

  it('keeps the codes on the screen', async () => {
    const { channel, hear } = tabs()
    await openCodes({ channel })
    hear('two-factor-changed')
    await settled()
    expect(shownCodes()).toEqual(RECOVERY_CODES)
  })
})

describe('Security, turn off', () => {
  it('S9 asks with the focus on the harmless answer, and keeps it on with Escape', async () => {
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

  it('S9 turns it off, says so, and moves the focus to the heading', async () => {
    await openSecurity({ factor: ON })
    await turnOff()
    await marked('Off')
    expect(statusText()).toBe('Two-factor authentication is off.')
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('shows what is true when the answer is lost', async () => {
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

  it('takes the button away when it has become required meanwhile', async () => {
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

  it('S10 required: no button, and the reason as text', async () => {
    await openSecurity({ factor: { ...ON, required: true } })
    expect(() => button('Turn off')).toThrow('no button')
    expect(section().textContent).toContain(
      'Your role requires two-factor authentication, so it cannot be turned off.',
    )
  })
})

describe('Security, forced', () => {
  it('S11 has the reason before the heading, no navigation, and the way out', async () => {
    await openSecurity({ factor: FORCED, at: '/orders' })
    const reason = one('[data-svc-part=forced]')
    expect(reason.textContent).toContain('Set it up to continue to the panel.')
    expect(reason.compareDocumentPosition(one('h1'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(document.querySelector('nav')).toBeNull()
    expect(document.querySelector('header a')).toBeNull()
    expect(button('Log out')).toBeDefined()
  })

  it('leads on only when the codes are saved, whatever asks who is here', async () => {
    const { session } = await openCodes({ factor: FORCED, at: '/orders' })
    expect(document.querySelector('[data-svc-part=forced]')).toBeNull()
    await session.refresh()
    await settled()
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    await acknowledge()
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('can be gone on from when the service did not answer at first', async () => {
    const { service } = await openCodes({ factor: FORCED, at: '/orders' })
    service.fail('user')
    await acknowledge()
    await press('Done')
    await headed('Security')
    for (const code of RECOVERY_CODES) expect(document.body.innerHTML).not.toContain(code)
    service.fail('user')
    await press('Done')
    await told('We could not reach the server.')
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('sends whoever never saw the codes to an administrator', async () => {
    const { service, session } = await openSetUp({ factor: FORCED, at: '/orders' })
    service.factor = { ...FORCED, enabled: true }
    service.fail('two-factor.confirm')
    await enter(CODE)
    await told('Ask an administrator to reset it.')
    await session.refresh()
    await settled()
    expect(alertText()).toContain('Ask an administrator to reset it.')
    await press('Done')
    await isAt(`${base}/orders`)
  })

  it('says so when logging out does not reach the server', async () => {
    const { service } = await openSecurity({ factor: FORCED })
    service.fail('logout')
    await press('Log out')
    await told('We could not reach the server.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(document.title).toBe('Error: Security · Acme Panel')
  })
})

describe('Security, no contract', () => {
  it('S12 has no entry in the navigation, and the address has nothing', async () => {
    const { service } = await openPanel({ user: ada, at: '/security' })
    await headed('Page not found')
    expect(document.querySelector('nav')).toBeNull()
    expect(service.calls.filter((name) => name.startsWith('two-factor'))).toEqual([])
  })
})

interface Opening {
  readonly channel?: PanelChannel
  readonly factor?: FakeService['factor']
  readonly at?: string
  readonly prepare?: (service: FakeService) => void
}

async function openSecurity(opening: Opening = {}) {
  const { factor, at = '/security', channel, prepare } = opening
  const opened = await openPanel({
    user: ada,
    at,
    page: { twoFactor: 'bound' },
    ...(channel && { channel }),
    prepare(service) {
      if (factor !== undefined) service.factor = factor
      prepare?.(service)
    },
  })
  await vi.waitFor(() => one('section:not([aria-busy])'), { interval: 5 })
  await settled()
  return opened
}

async function openSetUp(opening?: Opening) {
  const opened = await openSecurity(opening)
  await press('Set up')
  await vi.waitFor(() => one('img'))
  return opened
}

async function openCodes(opening?: Opening) {
  const opened = await openSetUp(opening)
  await enter(CODE)
  await headed('Save your recovery codes')
  await settled()
  return opened
}

/** The other tabs: what they are told, and how they are heard. */
function tabs() {
  const sent: PanelMessage[] = []
  const listeners = new Set<(message: PanelMessage) => void>()
  const channel: PanelChannel = {
    send: (message) => sent.push(message),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const hear = (message: PanelMessage) => {
    for (const listener of listeners) listener(message)
  }
  return { channel, sent, hear }
}

async function press(name: string): Promise<void> {
  button(name).click()
  await settled()
}

async function enter(code: string): Promise<void> {
  type(LABEL, code)
  await press('Turn on')
}

async function acknowledge(): Promise<void> {
  one('[type=checkbox]').click()
  await settled()
}

async function turnOff(): Promise<void> {
  await press('Turn off')
  one('[data-svc-part=danger]').click()
  await settled()
}

/** Waits until the alert says it. */
async function told(message: string): Promise<void> {
  await vi.waitFor(() => expect(alertText()).toContain(message))
}

async function marked(state: 'On' | 'Off'): Promise<void> {
  await vi.waitFor(() => expect(one('[data-svc-part=mark]').textContent).toBe(state))
}

async function headed(title: string): Promise<void> {
  await vi.waitFor(() => expect(one('h1').textContent).toBe(title))
}

async function isAt(wanted: string): Promise<void> {
  await vi.waitFor(() => expect(address()).toBe(wanted))
}

/** Whoever is asked stays. */
function dismissed() {
  const asked = vi.fn<(question: string) => boolean>(() => false)
  vi.stubGlobal('confirm', asked)
  return asked
}

function clipboard() {
  return vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
}

function leavingIsAsked(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  globalThis.dispatchEvent(event)
  return event.defaultPrevented
}

const section = () => one('section')
const key = () => one('[data-svc-part=set-up-key] code').textContent
const shownCodes = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent)

function nameOf(element: HTMLElement): string | null | undefined {
  return document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent
}
