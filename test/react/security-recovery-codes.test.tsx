import { afterEach, describe, expect, it, vi } from 'vitest'
import { confirmLeave } from '../../web/react/react.ts'
import { CODE, RECOVERY_CODES } from '../client/fake-service.ts'
import {
  ada,
  alertText,
  base,
  button,
  closeAndRestore,
  described,
  eventually,
  logIn,
  one,
  press,
  refresh,
  settled,
} from './open-panel.tsx'
import {
  ON,
  FORCED,
  CONFIRMED,
  warning,
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
  clipboard,
  tabs,
  section,
  shownCodes,
} from './security-page.tsx'

afterEach(closeAndRestore)

const UNSEEN = { ...ON, codes_unseen: true }

describe('Security, recovery codes that nobody has confirmed', () => {
  it('are mentioned every time the page is opened, with the remedy', async () => {
    await openSecurity({ factor: UNSEEN })
    expect(warning()?.textContent).toContain(
      'You have not confirmed that your recovery codes are saved. If you do not have them, turn two-factor authentication off and set it up again.',
    )
    expect(alertText()).toBe('')
    expect(button('Turn off')).toBeDefined()
  })

  it('refer a user with a required second factor to an administrator', async () => {
    await openSecurity({ factor: { ...UNSEEN, required: true } })
    expect(warning()?.textContent).toContain(
      'ask an administrator to reset two-factor authentication.',
    )
  })

  it('can be confirmed, which moves the focus to the heading', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    await press('I have saved my codes')
    expect(service.calls).toContain(CONFIRMED)
    expect(warning()).toBeNull()
    expect(document.activeElement).toBe(one('section h2'))
  })

  it('stay unconfirmed when the service does not answer', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    service.fail(CONFIRMED)
    await press('I have saved my codes')
    await told('We could not reach the server.')
    expect(warning()).not.toBeNull()
  })

  it('are not mentioned once the second factor is off', async () => {
    const { service } = await openSecurity({ factor: UNSEEN })
    await turnOff()
    await marked('Off')
    expect(warning()).toBeNull()
    expect(service.factor.codes_unseen).toBe(false)
  })

  it('are mentioned after a lost answer too', async () => {
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

  it('keep the gate open until the user continues', async () => {
    const { service, session } = await openSetUp({ factor: FORCED, at: '/orders' })
    service.fail('two-factor.confirm')
    service.factor = { ...FORCED, enabled: true, codes_unseen: true }
    await enter(CODE)
    await told('Ask an administrator to reset it.')
    await refresh(session)
    await press('Done')
    await isAt(`${base}/orders`)
  })
})

describe('Security, the number of recovery codes left', () => {
  const NEW_CODES = 'turn two-factor authentication off and set it up again.'

  it('is a calm line while more than two are left', async () => {
    await openSecurity({ factor: { ...ON, recovery_codes_left: 8 } })
    expect(one('section [data-svc-part=hint]').textContent).toBe('8 recovery codes left.')
    expect(warning()).toBeNull()
    expect(alertText()).toBe('')
  })

  it.each([
    [2, '2 recovery codes left.'],
    [1, '1 recovery code left.'],
    [0, 'You have no recovery codes left.'],
  ])('is a warning with the way to new ones when it is %i', async (left, told) => {
    await openSecurity({ factor: { ...ON, recovery_codes_left: left } })
    expect(warning()?.textContent).toBe(`${told} To get new ones, ${NEW_CODES}`)
  })

  it('refers a user with a required second factor to an administrator when few are left', async () => {
    await openSecurity({ factor: { ...ON, required: true, recovery_codes_left: 1 } })
    expect(warning()?.textContent).toBe(
      '1 recovery code left. To get new ones, ask an administrator to reset two-factor authentication.',
    )
  })

  it('is not mentioned where the service does not send it', async () => {
    await openSecurity({ factor: ON })
    expect(section().textContent).not.toContain('left')
    expect(warning()).toBeNull()
  })

  it('stays when the user confirms that the codes are saved', async () => {
    await openSecurity({ factor: { ...UNSEEN, recovery_codes_left: 10 } })
    await press('I have saved my codes')
    expect(section().textContent).toContain('10 recovery codes left.')
  })

  it('is not the one of a second factor that was turned off', async () => {
    await openSecurity({ factor: { ...ON, recovery_codes_left: 2 } })
    await turnOff()
    await marked('Off')
    expect(section().textContent).not.toContain('left')
  })
})

describe('Security, recovery codes', () => {
  it('S6 are a list below a heading of their own, which is focused', async () => {
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

  it('are shown in groups of four, unless they have separators', async () => {
    await openCodes()
    const groups = [...document.querySelectorAll('[data-svc-part=code-group]')]
    expect(groups.map(({ textContent }) => textContent)).toEqual(['b2hn', '7vje', '3k'])
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
  ])('are confirmed by leaving only when the box %s', async (_, ticked) => {
    const { service } = await openCodes()
    if (ticked) await acknowledge()
    vi.stubGlobal('confirm', () => true)
    one('.svc-to-home').click()
    await headed('Welcome, Ada')
    if (ticked) await vi.waitFor(() => expect(service.calls).toContain(CONFIRMED))
    expect(service.calls.includes(CONFIRMED)).toBe(ticked)
  })

  it('S7 must be acknowledged before the user can continue', async () => {
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

  it.each(['in another tab', 'by itself'])(
    'are shown again to the same user when the session has ended %s',
    async (how) => {
      const { channel, receive } = tabs()
      const { service, session } = await openCodes({ channel })
      service.user = null
      if (how === 'by itself') await session.refresh()
      else receive('logged-out')
      await headed('Log in')
      for (const code of RECOVERY_CODES) expect(document.body.innerHTML).not.toContain(code)
      await logIn('ada@example.com', 'right')
      await headed('Save your recovery codes')
      expect(shownCodes()).toEqual(RECOVERY_CODES)
      await acknowledge()
      await press('Done')
      await marked('On')
    },
  )

  it.each(['', '?next=%2Fadmin%2Fmain%2Forders', '?next=%2Freports'])(
    'are shown again after a logout elsewhere during the set-up that a role demands: %j',
    async (query) => {
      const { channel, receive } = tabs()
      const { service } = await openCodes({ channel, factor: FORCED, at: `/security${query}` })
      service.user = null
      receive('logged-out')
      await headed('Log in')
      await logIn('ada@example.com', 'right')
      await headed('Save your recovery codes')
      expect(shownCodes()).toEqual(RECOVERY_CODES)
    },
  )

  it('are not shown to another user', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const { channel, receive } = tabs()
    const { service, session } = await openCodes({ channel })
    receive('logged-out')
    await headed('Log in')
    service.user = { ...ada, id: '2' }
    await session.refresh()
    await eventually(() => expect(reload).toHaveBeenCalledOnce())
    expect(shownCodes()).toEqual([])
  })

  it('are gone after a logout in this tab', async () => {
    const { session } = await openCodes()
    await session.logout()
    await logIn('ada@example.com', 'right')
    one('header [href$="/security"]').click()
    await eventually(() => expect(warning()).not.toBeNull())
    expect(shownCodes()).not.toEqual(RECOVERY_CODES)
  })

  it('S7 ask before a link, Log out, Back or a reload', async () => {
    const asked = dismissed()
    const { service } = await openCodes()
    one('.svc-to-home').click()
    await settled()
    await press('Log out')
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

  it('S7 do not ask for links that stay, nor after they are acknowledged', async () => {
    const asked = dismissed()
    await openCodes()
    one('header [href$="/security"]').click()
    one('.svc-skip').click()
    expect(document.activeElement).toBe(one('main'))
    history.pushState(null, '', `${base}/security#part`)
    globalThis.dispatchEvent(new Event('popstate'))
    await settled()
    expect(shownCodes()).toEqual(RECOVERY_CODES)
    await acknowledge()
    expect(leavingIsAsked()).toBe(false)
    one('.svc-to-home').click()
    await settled()
    await headed('Welcome, Ada')
    expect(asked).not.toHaveBeenCalled()
  })

  it('S7 let the router of a host ask, too', async () => {
    // Preact runs the effects of the page before this one only after a frame.
    await settled()
    const asked = dismissed()
    expect(confirmLeave()).toBe(true)
    await openCodes()
    expect(asked).not.toHaveBeenCalled()
    expect(confirmLeave()).toBe(false)
    expect(asked).toHaveBeenCalledExactlyOnceWith(
      'Your recovery codes will not be shown again. Leave anyway?',
    )
    await acknowledge()
    expect(confirmLeave()).toBe(true)
    expect(asked).toHaveBeenCalledOnce()
  })

  it('S7 ask once for a link that a router follows', async () => {
    const asked = vi.fn<(question: string) => boolean>(() => true)
    vi.stubGlobal('confirm', asked)
    await openCodes()
    const answers: boolean[] = []
    const router = (event: Event) => {
      event.preventDefault()
      answers.push(confirmLeave())
    }
    const link = document.body.appendChild(document.createElement('a'))
    link.href = '/elsewhere'
    link.addEventListener('click', router)
    vi.useFakeTimers()
    link.click()
    expect(answers).toEqual([true])
    expect(leavingIsAsked()).toBe(false)
    expect(asked).toHaveBeenCalledOnce()
    // The router did not leave after all.
    vi.advanceTimersByTime(1000)
    link.click()
    expect(asked).toHaveBeenCalledTimes(2)
    link.remove()
  })

  it('S8 are saved as a text file', async () => {
    const blobs = vi.spyOn(URL, 'createObjectURL')
    // Here a click would load it in the place of the page.
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    const revoke = vi.spyOn(URL, 'revokeObjectURL')
    await openCodes()
    await press('Download')
    expect(click).toHaveBeenCalledOnce()
    // Some browsers read it only now.
    expect(revoke).not.toHaveBeenCalled()
    const [blob] = blobs.mock.calls[0] ?? []
    if (!(blob instanceof Blob)) throw new Error('nothing was saved')
    const [title, , ...codes] = (await blob.text()).split('\r\n')
    expect(title).toContain('Recovery codes of ada@example.com for Acme Panel at localhost')
    expect(codes).toEqual([...RECOVERY_CODES, ''])
  })

  it('are printed with account, panel, host and date', async () => {
    await openCodes()
    await vi.waitFor(() =>
      expect(one('[data-svc-part=recovery-owner]').textContent).toMatch(
        /^Recovery codes of ada@example\.com for Acme Panel at localhost\S*, \d{4}-\d\d-\d\d$/,
      ),
    )
  })

  it('have the date of the user’s calendar on paper', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T20:30:00Z') })
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-9 * 60)
    await openCodes()
    const owner = () => one('[data-svc-part=recovery-owner]').textContent
    await vi.waitFor(() => expect(owner()).toMatch(/, 2026-11-27$/))
  })

  it('are copied one per line', async () => {
    const write = clipboard()
    await openCodes()
    await press('Copy')
    expect(write).toHaveBeenCalledExactlyOnceWith(RECOVERY_CODES.join('\n'))
  })
})

/** Answers every question with "stay". */
function dismissed() {
  const asked = vi.fn<(question: string) => boolean>(() => false)
  vi.stubGlobal('confirm', asked)
  return asked
}

function leavingIsAsked(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  globalThis.dispatchEvent(event)
  return event.defaultPrevented
}
