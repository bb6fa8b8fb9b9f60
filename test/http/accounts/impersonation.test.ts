import { describe, expect, it, onTestFinished } from 'vitest'
import { notify, userOf } from '../../support/bell.ts'
import type { Browser } from '../../support/browser.ts'
import { loggedIn } from '../../support/logins.ts'
import {
  actingAs,
  formHeaders,
  goBack,
  openFor,
  startImpersonation,
} from '../../support/open-session.ts'
import { BELL, LOGOUT, USER } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { payloadsOf, somePeople, svc } from '../../support/service.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const IMPERSONATED = '403 impersonated'
const BOTH = { userId: 'u4', impersonatorId: 'u1', tenant: null }

describe('A person who acts as another one', () => {
  it('sees the panel as the other, and who they are themselves', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    expect((await una.get(USER)).json).toMatchObject({
      id: 'u4',
      name: 'Quarta',
      impersonated_by: { name: 'Una' },
    })
  })

  it('is shown a document of the host as its `toJSON` writes it', async () => {
    class Document {
      readonly password = 'a secret'
      toJSON() {
        return { id: 'u4' }
      }
    }
    const users = { ...somePeople(), present: () => new Document() }
    const service = await startImpersonation({ users })
    const una = await actingAs(service, await loggedIn(service))
    expect((await una.get(USER)).json).toEqual({ id: 'u4', impersonated_by: { name: 'Una' } })
  })

  it('has the name that the host gives, or the email without a name', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const user = await userOf(service, 'u1')
    await openFor(service, una, 'u4', { by: { user, name: 'Una of the support' } })
    expect((await una.get(USER)).json).toMatchObject({
      impersonated_by: { name: 'Una of the support' },
    })
    await goBack(una)
    await openFor(service, una, 'u4', { by: { user: { ...user, name: null } } })
    expect((await una.get(USER)).json).toMatchObject({ impersonated_by: { name: 'u1@x.test' } })
  })

  it('goes back to the own account', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    expect(verdict(await goBack(una))).toBe('ok')
    const { json } = await una.get(USER)
    expect(json).toMatchObject({ id: 'u1' })
    expect(json).not.toHaveProperty('impersonated_by')
  })

  it('may begin and go back again and again', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    for (const who of ['u4', 'u2', 'u4']) {
      await actingAs(service, una, who)
      expect((await una.get(USER)).json).toMatchObject({ id: who })
      await goBack(una)
    }
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
  })

  it('reads the bell of the other, and marks nothing as read', async () => {
    const service = await startImpersonation()
    await notify(service, 'Hello', { id: 'u4' })
    const una = await actingAs(service, await loggedIn(service))
    const { json } = await una.get(BELL)
    expect(json).toMatchObject({ unread_count: 1 })
    expect(verdict(await una.post(`${BELL}/${json.data[0].id}/read`))).toBe(IMPERSONATED)
    expect(verdict(await una.post(`${BELL}/read-all`))).toBe(IMPERSONATED)
    expect((await una.get(BELL)).json).toMatchObject({ unread_count: 1 })
  })

  it('is known to the routes of the host, which decide what else they may do', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const check = async () => service.auth.userFrom(formHeaders(service, una))
    expect(await check()).not.toHaveProperty('impersonator')
    await actingAs(service, una)
    expect(await check()).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u4' },
      impersonator: { id: 'u1', name: 'Una' },
    })
  })

  it('is known to the middleware of the host, behind the session', async () => {
    const known: unknown[] = []
    const service = await startImpersonation({
      config: {
        svc: {
          ...svc,
          authenticated_middleware: [
            async (context, next) => {
              known.push(context.impersonator)
              return next()
            },
          ],
        },
      },
    })
    const una = await loggedIn(service)
    await una.get(USER)
    await actingAs(service, una)
    await una.get(USER)
    expect(known).toEqual([null, { id: 'u1', name: 'Una' }])
  })

  it('is known to what the host holds open, such as a WebSocket', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    const headers = formHeaders(service, una)
    const watched = await service.auth.watch(plainRequest({ target: '/socket', headers }))
    onTestFinished(() => (watched.outcome === 'admitted' ? watched.stop() : undefined))
    expect(watched).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u4' },
      impersonator: { id: 'u1', name: 'Una' },
    })
    expect(watched).not.toHaveProperty('session')
  })

  it('is an event with both people at the beginning and at the end, and no login', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    await goBack(una)
    const { address: network } = una
    expect(payloadsOf(service, 'impersonation.started')).toEqual([{ ...BOTH, network }])
    expect(payloadsOf(service, 'impersonation.ended')).toEqual([BOTH])
    expect(payloadsOf(service, 'login')).toMatchObject([{ userId: 'u1' }])
  })

  it.each<[string, (una: Browser) => Promise<unknown>]>([
    ['goes back', goBack],
    ['logs out', async (una) => una.post(LOGOUT)],
    ['logs in', async (una) => una.logIn('u2@x.test')],
  ])(
    'has its beginning and end, and their place, in the activity when the person %s',
    async (_how, ends) => {
      const service = await startImpersonation({ activity: true })
      const una = await actingAs(service, await loggedIn(service))
      await ends(una)
      const network = una.address.replace(/\d+$/, 'x')
      expect(await service.auth.activityOf('u4')).toMatchObject([
        { event: 'impersonation.ended', network },
        { event: 'impersonation.started', network },
      ])
    },
  )

  it('logs out of both sessions, and is who has logged out', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    const before = una.copy()
    expect(verdict(await una.post(LOGOUT))).toBe('ok')
    expect(verdict(await before.get(USER))).toBe(GUEST)
    expect(await service.auth.endSessions('u1')).toBe(0)
    expect(payloadsOf(service, 'logout')).toEqual([{ userId: 'u1', tenant: null }])
    expect(payloadsOf(service, 'impersonation.ended')).toEqual([BOTH])
  })

  it('stays for as long as they are active, and so does the own session', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    for (let hour = 0; hour < 6; hour += 1) {
      service.clock.advance({ minutes: 60 })
      expect(verdict(await una.get(USER))).toBe('ok')
    }
    await goBack(una)
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
  })
})

describe('The way back', () => {
  it('is not found in the own session of a user', async () => {
    const service = await startImpersonation()
    expect(verdict(await goBack(await loggedIn(service)))).toBe('404 not_found')
  })
})
