import { describe, expect, it } from 'vitest'
import { LOGIN } from '../support/paths.ts'
import { startService } from '../support/service.ts'

describe('Login session', () => {
  it('opens a session for a valid email and password (LS-1, EN-1, EN-4, CR-1, CR-2, AU-3)', async () => {
    const { browser } = await startService()
    const una = browser()
    const answer = await una.logIn('u1@x.test')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ two_factor: false })
    const user = await una.get('/svc/api/user')
    expect(user.json).toEqual({
      id: 'u1',
      name: 'Una',
      email: 'u1@x.test',
      email_verified_at: null,
    })
  })

  it('is below /svc/api, whatever the prefix of the panel is (DO-3)', async () => {
    const config = { svc: { prefix: 'back-office', panels: ['main'] } }
    const { browser } = await startService({ config })
    expect((await browser().logIn('u1@x.test')).status).toBe(200)
    expect((await browser().post(LOGIN.replace('/svc', '/back-office'))).status).toBe(404)
  })
})
