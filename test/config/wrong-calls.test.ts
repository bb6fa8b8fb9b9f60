import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { app, messageOf, svc } from './start.ts'

/** The methods of the service as a host in JavaScript may call them. */
type Loose = Readonly<Record<string, (...args: unknown[]) => unknown>>

const auth = createPanelAuth({
  config: { app, session_auth: { stateful: [app.url] }, svc, spa: { off: true } },
  stores: memoryStores(),
  users: fakeUsers([]),
})
afterAll(async () => auth.close())

const user = { id: '1', email: 'ada@example.com' }
const notification = { type: 'export', via: () => ['database'], toDatabase: () => ({ title: 'A' }) }
const request = new Request('https://panel.example.com/svc/api/user')
const noRequest = /its first argument is not a PlainRequest: call \w+ of .*toPlainRequest/
const noHeaders = /its argument is not headers: give `request\.headers`/
const noUser = /its first argument is not a user: give/
const noBrowser = /request: give the request of the browser/
const noNotification = /its second argument is not a notification: give \{ type/

describe('A wrong call of the service says what to give', () => {
  it.each<[string, readonly unknown[], RegExp]>([
    ['userFrom', [], noHeaders],
    ['userFrom', ['a=b'], noHeaders],
    ['userFrom', [request], noHeaders],
    ['userFrom', [Promise.resolve(request.headers)], noHeaders],
    ['watch', [], noRequest],
    ['watch', [request, {}], noRequest],
    ['guard', [{ headers: {} }], noRequest],
    ['handle', ['/svc/api/user'], noRequest],
    ['handle', [request], noRequest],
    ['serves', [request], /target is not a text/],
    ['notify', [undefined, notification], noUser],
    ['notify', [Promise.resolve(user), notification], noUser],
    ['notify', ['1', notification], noUser],
    ['notify', [1, notification], noUser],
    ['notify', [[user], notification], noUser],
    ['invite', ['1'], noUser],
    ['invite', [Promise.resolve(user)], noUser],
    ['openSession', ['1', { request }], noUser],
    ['openSession', [undefined, { request }], noUser],
    ['openSession', [user, { request: { headers: Promise.resolve() } }], noBrowser],
    ['notify', [user, 'Export finished'], noNotification],
    ['notify', [user, { ...notification, via: ['database'] }], noNotification],
  ])('%s of %j', async (method, args, remedy) => {
    const call = async (): Promise<unknown> => (auth as unknown as Loose)[method]?.(...args)
    await expect(call()).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(new RegExp(`^${method}: ${remedy.source}`)),
    })
  })

  it.each([[], [null], ['app.url']])('createPanelAuth of %j', (...args) => {
    const create = createPanelAuth as unknown as (...args: readonly unknown[]) => unknown
    expect(messageOf(() => create(...args))).toMatch(
      /^createPanelAuth: .*like \{ config, stores, users \}/,
    )
  })

  it('userFrom takes the headers of every kind of request', async () => {
    const ofExpress = { headers: {}, get: () => undefined } as never
    for (const headers of [request.headers, {}, { headers: 'a header of this name' }, ofExpress])
      expect(await auth.userFrom(headers)).toMatchObject({ outcome: 'unauthenticated' })
  })
})
