import { memoryStores } from '@svc/auth/memory'
import { expect, it, onTestFinished, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { somePeople, startService } from '../../support/service.ts'

it('a request that outlives the service, and finds the pool of the host closed, logs nothing', async () => {
  const users = somePeople()
  const service = await startService({ users })
  const una = await loggedIn(service, 'u1@x.test')
  let fail: (error: Error) => void = () => {}
  const held = vi.fn(async () => new Promise<never>((_resolve, reject) => (fail = reject)))
  vi.spyOn(users, 'findById').mockImplementation(held)
  const request = plainRequest({
    method: 'GET',
    target: USER,
    headers: {
      host: new URL(service.url).host,
      cookie: `svc_session=${una.cookie('svc_session')}`,
    },
  })
  const answer = service.auth.handle(request)
  await vi.waitFor(() => expect(held).toHaveBeenCalled())
  await service.auth.close()
  fail(new Error('Cannot use a pool after calling end on the pool'))
  expect((await answer).status).toBe(503)
  expect(service.log).toEqual([])
})

it('sends no message of its bus again once it is closed', async () => {
  const stores = memoryStores()
  const publish = vi.fn(async () => Promise.reject(new Error('the bus is down')))
  const service = await startService({ stores: { ...stores, bus: { ...stores.bus, publish } } })
  await loggedIn(service, 'u1@x.test')
  publish.mockClear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await service.auth.endSessions('u1')
  await vi.advanceTimersByTimeAsync(1000)
  expect(publish).toHaveBeenCalledTimes(2)
  await service.auth.close()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(publish).toHaveBeenCalledTimes(2)
})
