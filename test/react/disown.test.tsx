import { afterEach, describe, expect, it } from 'vitest'
import {
  ada,
  address,
  alertText,
  base,
  closePanel,
  eventually,
  one,
  openPanel,
  press,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { sees } from './password-page.tsx'

afterEach(() => closePanel())

const LINK = '/not-me#token=t0ken'

async function openLink({ page, ...opening }: Opening = {}) {
  return openPanel({ at: LINK, page: { sessions: true, ...page }, ...opening })
}

const ASKED = 'Was this login not you?'

describe('the link of a mail about a login', () => {
  it('asks, sends nothing, and leaves no token in the page', async () => {
    const { service } = await openLink()
    await sees(ASKED)
    expect(address()).toBe(`${base}/not-me`)
    expect(document.documentElement.outerHTML).not.toContain('t0ken')
    expect(service.calls).toEqual([])
  })

  it('ends every session once the user says so', async () => {
    const { service } = await openLink({ user: ada })
    await sees(ASKED)
    await press('End all sessions')
    await sees('All sessions have ended')
    expect(service.disowned).toEqual([{ token: 't0ken' }])
    expect(document.activeElement).toBe(one('h1'))
    expect(document.body.textContent).not.toContain('on its way')
    await press('Back to log in')
    await sees('Log in')
    expect(address()).toBe(`${base}/login`)
  })

  it('names the mail with a link to a new password where passwords are bound', async () => {
    await openLink({ page: { passwords: true } })
    await sees(ASKED)
    await press('End all sessions')
    await sees('All sessions have ended')
    expect(document.body.textContent).toContain('a link for a new password is on its way')
  })

  it('that has expired says so, and what to do', async () => {
    const { service } = await openLink()
    await sees(ASKED)
    service.refuse('sessions.disown', { status: 422, key: 'svc::auth.session_link_invalid' })
    await press('End all sessions')
    await sees('This link no longer works')
    expect(document.body.textContent).toContain('open Security to end sessions')
  })

  it('can be tried again after an outage', async () => {
    const { service } = await openLink()
    await sees(ASKED)
    service.fail('sessions.disown')
    await press('End all sessions')
    await eventually(() => expect(alertText()).toContain('We could not reach the server'))
    await press('End all sessions')
    await sees('All sessions have ended')
  })

  it('shows what to do after a reload, when the token is gone', async () => {
    await openLink({ at: '/not-me' })
    await sees('This page needs the link from your email')
  })

  it('is an address of the host where the service lists no sessions', async () => {
    await openLink({ page: { sessions: false, passwords: true } })
    await sees('Log in')
  })
})
