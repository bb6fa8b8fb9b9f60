import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { faultyStores } from '../../support/faulty-stores.ts'
import { loggedIn } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

async function outage(headers: Readonly<Record<string, string>> = {}) {
  const stores = faultyStores(memoryStores())
  const service = await startService({ stores })
  const una = await loggedIn(service)
  stores.breakAt(1, 'fails')
  return { service, una, answer: await una.get(USER, { headers }) }
}

describe('The id of a request that an outage has failed', () => {
  it('is in the header, in the body and in the line of the log', async () => {
    const { service, answer } = await outage()
    expect(answer.status).toBe(503)
    const id = answer.headers['x-request-id']
    expect(id).toMatch(UUID)
    expect(answer.json.request_id).toBe(id)
    expect(service.log.at(-1)?.fields).toMatchObject({ requestId: id })
  })

  it.each(['a known id', 'x'.repeat(5000), '"><script>', 'abc%0d%0aset-cookie: a=b'])(
    'is never one that the client sends: %s',
    async (sent) => {
      const { service, answer } = await outage({ 'x-request-id': sent })
      expect(answer.headers['x-request-id']).toMatch(UUID)
      expect(JSON.stringify(service.log)).not.toContain(sent.slice(0, 20))
    },
  )

  it('is not in other answers', async () => {
    const { una } = await outage()
    for (const answer of [await una.get(USER), await una.get('/svc/api/nothing')])
      expect(answer.headers['x-request-id']).toBeUndefined()
  })
})
