import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'

describe('Login session', () => {
  it('opens a session for a valid email and password', async () => {
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
})
