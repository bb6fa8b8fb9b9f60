import { expect, it, vi } from 'vitest'
import { loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { plainRequest } from '../support/plain-request.ts'
import { somePeople, startService } from '../support/service.ts'

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
