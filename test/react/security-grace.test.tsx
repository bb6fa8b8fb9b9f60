import { afterEach, describe, expect, it } from 'vitest'
import { ada, alertText, closePanel, eventually, one, openPanel, press } from './open-panel.tsx'
import { FORCED, marked, ON, openSecurity, turnOff, warning } from './security-page.tsx'

afterEach(closePanel)

describe('Security, a second factor that becomes required', () => {
  const OFF = { ...FORCED, required: false }
  const WITHOUT = 'After that, you cannot use the panel without it.'

  it.each([
    [14, 'You have 14 days left to set it up.'],
    [1, 'You have 1 day left to set it up.'],
    [0, 'You have less than a day left to set it up.'],
  ])('shows the days that remain: %i', async (days, said) => {
    await openSecurity({ factor: { ...OFF, required_in_days: days } })
    expect(warning()?.textContent).toBe(`${said} ${WITHOUT}`)
    expect(alertText()).toBe('')
  })

  it('shows no days where it is not required, or is already', async () => {
    await openSecurity({ factor: OFF })
    expect(warning()).toBeNull()
    closePanel()
    await openSecurity({ factor: FORCED })
    expect(warning()).toBeNull()
  })

  it('shows the days again when the user turns it off, or leaves the set-up', async () => {
    await openSecurity({ factor: { ...ON, required_in_days: 3 } })
    expect(warning()).toBeNull()
    await turnOff()
    await marked('Off')
    expect(warning()?.textContent).toContain('3 days left')
    await press('Set up')
    await eventually(() => one('img'))
    await press('Cancel')
    expect(warning()?.textContent).toContain('3 days left')
  })

  it('shows the days on the home page, too', async () => {
    await openPanel({
      user: ada,
      page: { twoFactor: 'bound' },
      prepare(service) {
        service.factor = { ...OFF, required_in_days: 3 }
      },
    })
    await eventually(() => one('.svc-next'))
    expect(one('.svc-next').textContent).toContain('You have 3 days left to set it up.')
  })
})
