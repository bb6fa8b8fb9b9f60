import { setTimeout as pause } from 'node:timers/promises'
import { memoryStores } from '@svc/auth/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { activityOf, eventsOf, startActivity } from '../../support/activity.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { closed, forget, startPasswords } from '../../support/passwords.ts'

// The jobs then wait far longer than a test, unless something begins them.
const LATE = 100

/** The time that a mail takes. */
const MAIL_MS = 400

afterEach(() => {
  vi.restoreAllMocks()
})

/** Starts a service whose activity store tells the users of its entries. */
async function startWatched() {
  const stores = memoryStores()
  const { activity } = stores
  if (activity === undefined) return expect.fail('the stores have no activity')
  const written: string[] = []
  const add: typeof activity.add = (owner, ...entry) => {
    written.push(owner.userId)
    return activity.add(owner, ...entry)
  }
  const service = await startActivity({ stores: { ...stores, activity: { ...activity, add } } })
  return { service, written }
}

describe('Work that is done for existing users only', () => {
  it('does not delay the request that follows a failed login', async () => {
    const { service, written } = await startWatched()
    const stranger = await visitor(service)
    vi.spyOn(Math, 'random').mockReturnValue(LATE)
    await activityOf(await loggedIn(service))
    written.length = 0
    await attempt(stranger, 'u1@x.test')
    await stranger.get('/svc/api/csrf-cookie')
    expect(written).toEqual([])
    await closed(service)
    expect(written).toEqual(['u1'])
  })

  it('does not delay the activity of another user, and is in that of the user', async () => {
    const { service, written } = await startWatched()
    vi.spyOn(Math, 'random').mockReturnValue(LATE)
    const [una, duo] = [await loggedIn(service), await loggedIn(service, 'u2@x.test')]
    await activityOf(una)
    await attempt(await visitor(service), 'u1@x.test')
    await attempt(await visitor(service), 'u2@x.test')
    written.length = 0
    expect(await eventsOf(duo)).toContain('failed')
    expect(written).not.toContain('u1')
    expect((await eventsOf(una))[0]).toBe('failed')
  })

  it('does not delay the request that follows one for a link to a new password', async () => {
    const service = await startPasswords()
    const stranger = await visitor(service)
    const find = vi.spyOn(service.users, 'findByEmail')
    vi.spyOn(Math, 'random').mockReturnValue(LATE)
    expect((await forget(service, 'u1@x.test', { from: stranger })).status).toBe(202)
    await stranger.get('/svc/api/csrf-cookie')
    expect(find).not.toHaveBeenCalled()
    await closed(service)
    expect(service.mailer.sent).toHaveLength(1)
  })

  it.each([
    ['that exist, and then others', ['u1@x.test', 'nobody@x.test']],
    ['that do not exist, and then others', ['nobody@x.test', 'u1@x.test']],
  ])('delays the mails of others alike for users %s', async (_, emails) => {
    const service = await startPasswords()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const send = service.mailer.send.bind(service.mailer)
    vi.spyOn(service.mailer, 'send').mockImplementation(async (mail) => {
      await pause(MAIL_MS)
      return send(mail)
    })
    const mailsTo = (email: string) => () =>
      service.mailer.sent.filter(({ to }) => to === email).length
    await forget(service, 'u3@x.test')
    await expect.poll(mailsTo('u3@x.test')).toBe(1)
    const waited: number[] = []
    for (const email of emails) {
      const own = await visitor(service)
      const others = await Promise.all(Array.from({ length: 4 }, async () => visitor(service)))
      await Promise.all(others.map(async (from) => forget(service, email, { from })))
      const asked = performance.now()
      await forget(service, 'u4@x.test', { from: own })
      await expect.poll(mailsTo('u4@x.test'), { timeout: 10_000 }).toBe(waited.length + 1)
      waited.push(performance.now() - asked)
    }
    expect(Math.min(...waited)).toBeGreaterThan(1.5 * MAIL_MS)
  })
})
