// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { createAuthProvider } from '../../web/frameworks/refine/refine-auth.ts'
import { ada, makeSessionBeforeEach, service, session, started } from '../client/tested-session.ts'

makeSessionBeforeEach()

const provider = () => createAuthProvider(session)
const GATES = [
  'svc::auth.email_verification_required',
  'svc::auth.two_factor_setup_required',
] as const

describe('the check before a page', () => {
  it('authenticates a user, once the service has answered', async () => {
    service.user = ada
    expect(await provider().check()).toEqual({ authenticated: true })
    expect(await provider().getIdentity()).toEqual(ada)
  })

  it('does not authenticate a guest, or a user who has to enter a code', async () => {
    await started(null)
    expect(await provider().check()).toEqual({ authenticated: false })
    service.codeOwed = { seconds: 300 }
    await session.refresh()
    expect(await provider().check()).toEqual({ authenticated: false })
    expect(await provider().login()).toEqual({ success: false })
    expect(await provider().getIdentity()).toBeNull()
  })

  it.each(GATES)('does not authenticate a user at the gate %s', async (key) => {
    service.refuse('user', { status: 403, key })
    await started(ada)
    expect(await provider().check()).toEqual({ authenticated: false })
  })

  it('authenticates the user again when the service is down later', async () => {
    await started(ada)
    service.fail('user')
    await session.refresh()
    expect(await provider().check()).toEqual({ authenticated: true })
  })
})

describe('an error of a request', () => {
  it.each([401, 403])(
    'logs out with the status %s if the session has ended',
    async (statusCode) => {
      await started(ada)
      service.user = null
      expect(await provider().onError({ statusCode })).toEqual({ logout: true })
    },
  )

  it.each([401, 403])(
    'is the host’s own with the status %s if the user is still here',
    async (statusCode) => {
      await started(ada)
      expect(await provider().onError({ statusCode })).toEqual({})
    },
  )

  it.each([{ statusCode: 503 }, new TypeError('Failed to fetch'), null])(
    'logs nobody out during an outage: %o',
    async (error) => {
      await started(ada)
      service.calls.length = 0
      expect(await provider().onError(error)).toEqual({})
      expect(service.calls).toEqual([])
    },
  )
})

describe('a logout', () => {
  it('ends the session, and the next user starts at home', async () => {
    await started(ada)
    expect(await provider().logout()).toEqual({ success: true, redirectTo: '/' })
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'logged_out' })
  })

  it('gives a reason when it fails, and the user stays', async () => {
    await started(ada)
    service.fail('logout')
    const { success, error } = await provider().logout()
    expect(success).toBe(false)
    expect(error?.message).toContain('You are still logged in.')
    expect(session.getState().state).toBe('ready')
  })

  it('keeps, after a rejected check, the login of a user who has to enter a code', async () => {
    service.codeOwed = { seconds: 300 }
    await started(null)
    expect(await provider().logout()).toEqual({ success: true })
    expect(service.calls).not.toContain('logout')
    expect(session.getState().state).toBe('code')
  })
})
