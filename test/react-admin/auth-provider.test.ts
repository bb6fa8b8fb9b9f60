// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { createAuthProvider } from '../../web/frameworks/react-admin/auth-provider.ts'
import { ada, makeSessionBeforeEach, service, session, started } from '../client/tested-session.ts'

makeSessionBeforeEach()

const provider = () => createAuthProvider(session)
const GATES = [
  'svc::auth.email_verification_required',
  'svc::auth.two_factor_setup_required',
] as const
/** The rejection that makes react-admin leave without a message of its own. */
const withoutMessage = expect.objectContaining({ message: false })

describe('the check before a page', () => {
  it('waits for the first answer of the service', async () => {
    service.user = ada
    const answer = service.hold('user')
    const settled = vi.fn<() => void>()
    const check = provider().checkAuth({}).then(settled)
    await vi.waitFor(() => expect(service.calls).toContain('user'))
    expect(settled).not.toHaveBeenCalled()
    answer()
    await check
    expect(settled).toHaveBeenCalled()
  })

  it('rejects a guest', async () => {
    await started(null)
    await expect(provider().checkAuth({})).rejects.toEqual(withoutMessage)
  })

  it('rejects a user who has to enter a code', async () => {
    service.codeOwed = { seconds: 300 }
    await started(null)
    await expect(provider().checkAuth({})).rejects.toEqual(withoutMessage)
  })

  it.each(GATES)('rejects a user at the gate %s', async (key) => {
    service.refuse('user', { status: 403, key })
    await started(ada)
    await expect(provider().checkAuth({})).rejects.toEqual(withoutMessage)
  })

  it('rejects everybody while the service has never answered', async () => {
    service.fail('user')
    await started(ada)
    await expect(provider().checkAuth({})).rejects.toEqual(withoutMessage)
  })

  it('admits the user again when the service is down later', async () => {
    await started(ada)
    service.fail('user')
    await session.refresh()
    await expect(provider().checkAuth({})).resolves.toBeUndefined()
  })
})

describe('an error of a request', () => {
  it.each([401, 403])('rejects with the status %s if the session has ended', async (status) => {
    await started(ada)
    service.user = null
    await expect(provider().checkError({ status })).rejects.toEqual(withoutMessage)
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })

  it.each(GATES)('rejects with the status 403 if the gate %s is shut', async (key) => {
    await started(ada)
    service.refuse('user', { status: 403, key })
    await expect(provider().checkError({ status: 403 })).rejects.toEqual(withoutMessage)
  })

  it.each([401, 403])(
    'is the host’s own with the status %s if the user is still here',
    async (status) => {
      await started(ada)
      await expect(provider().checkError({ status })).resolves.toBeUndefined()
    },
  )

  it.each([
    { status: 500 },
    { status: 503 },
    { status: 419 },
    new TypeError('Failed to fetch'),
    null,
  ])('logs nobody out during an outage: %o', async (error) => {
    await started(ada)
    service.calls.length = 0
    await expect(provider().checkError(error)).resolves.toBeUndefined()
    expect(service.calls).toEqual([])
  })
})

describe('a logout', () => {
  it('ends the session', async () => {
    await started(ada)
    await provider().logout({})
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'logged_out' })
  })

  it('rejects with a reason when it fails, and the user stays', async () => {
    await started(ada)
    service.fail('logout')
    await expect(provider().logout({})).rejects.toThrow('You are still logged in.')
    service.refuse('logout', { status: 503, key: 'svc::auth.unavailable' })
    await expect(provider().logout({})).rejects.toThrow('svc::auth.unavailable')
    expect(session.getState().state).toBe('ready')
  })

  it('does not end, after a rejected check, the login of a user who has to enter a code', async () => {
    service.codeOwed = { seconds: 300 }
    await started(null)
    await provider().logout({})
    expect(service.calls).not.toContain('logout')
    expect(session.getState().state).toBe('code')
  })
})

describe('the identity', () => {
  it('is the user that the service presents, with a full name', async () => {
    await started(ada)
    expect(await provider().getIdentity()).toEqual({ ...ada, fullName: 'Ada' })
  })

  it('is that of nobody without a session', async () => {
    await started(null)
    await expect(provider().getIdentity()).rejects.toEqual(withoutMessage)
  })

  it('has no permissions, because the service has no roles', async () => {
    await started(ada)
    expect(await provider().getPermissions({})).toEqual([])
  })
})

it('resolves a login only for a user who has passed every gate', async () => {
  await started(null)
  await expect(provider().login({})).rejects.toEqual(withoutMessage)
  service.user = ada
  await session.refresh()
  await expect(provider().login({})).resolves.toBeUndefined()
})
