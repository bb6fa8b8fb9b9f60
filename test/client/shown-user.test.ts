import { beforeEach, describe, expect, it } from 'vitest'
import { refusal } from './contract-server.ts'
import { client, contract, lines, makeClient, makeClientBeforeEach } from './tested-client.ts'
import { ada, credentials } from './tested-session.ts'

const bea = { ...ada, id: '2', name: 'Bea' }

makeClientBeforeEach()

beforeEach(async () => {
  contract.givesToken = 'in both'
  contract.answers.set('GET /svc/api/user', [{ status: 200, body: ada }])
  contract.answers.set('POST /svc/api/login', [{ status: 200, body: { two_factor: false } }])
  contract.answers.set('GET /svc/api/sessions', [{ status: 200, body: { data: [] } }])
  await client.isGuest()
  await client.call('user')
  contract.seen.length = 0
})

/** The session of the browser is a later one, whose message has not reached the tab. */
function logInElsewhere(user: object): void {
  contract.token = 'token-2'
  contract.jar.set('XSRF-TOKEN', 'token-2')
  contract.answers.set('GET /svc/api/user', [{ status: 200, body: user }])
}

/** Makes a call, whose answer sets the cookies of another session. */
async function replaceSessionBy(name: 'two-factor.disable' | 'impersonation.end', user: object) {
  let isReplaced = false
  const { fetch } = contract
  makeClient(async (...request) => {
    const answer = await fetch(...request)
    if (!isReplaced && contract.seen.at(-1)?.line.startsWith('DELETE') === true) {
      isReplaced = true
      logInElsewhere(user)
    }
    return answer
  })
  await client.isGuest()
  await client.call('user')
  contract.seen.length = 0
  await client.call(name)
}

/** The requests that the service has accepted as those of the later session. */
const accepted = () => contract.seen.filter(({ headers }) => headers['x-xsrf-token'] === 'token-2')

describe('a change, after a login in another tab that this tab has not noticed', () => {
  it('is never sent as another user than the page shows, and is refused as out of date', async () => {
    logInElsewhere(bea)
    expect(await client.call('logout')).toMatchObject({
      outcome: 'refused',
      refusal: { status: 419, key: 'svc::auth.csrf_mismatch' },
    })
    const order = await client.fetch('/svc/api/orders', { method: 'POST', body: 'an order' })
    expect(order.status).toBe(419)
    expect(accepted()).toEqual([])
  })

  it('is refused where that login came before the answer that names the user', async () => {
    const { fetch } = contract
    makeClient(async (...request) => {
      const answer = await fetch(...request)
      if (contract.seen.length === 1) logInElsewhere(bea)
      return answer
    })
    contract.seen.length = 0
    await client.call('user')
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 419 } })
  })

  it('is refused where the page may read no cookies, and learns of that login by a new token', async () => {
    contract.givesToken = 'in the header'
    contract.jar.clear()
    makeClient()
    await client.isGuest()
    await client.call('user')
    logInElsewhere(bea)
    contract.jar.clear()
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 419 } })
    expect(accepted()).toEqual([])
  })

  it('is sent once the page shows the other user', async () => {
    logInElsewhere(bea)
    await client.call('user')
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
  })

  it('is sent where it is a login, which ends the session of whoever is logged in', async () => {
    logInElsewhere(bea)
    expect(await client.call('login', credentials)).toMatchObject({ outcome: 'ok' })
  })

  it('is sent where the same user has logged in, and asks who that is once', async () => {
    logInElsewhere(ada)
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
    expect(lines().filter((line) => line === 'GET /svc/api/user')).toHaveLength(1)
  })

  it('is not sent while the service does not say who is logged in', async () => {
    logInElsewhere(bea)
    contract.answers.set('GET /svc/api/user', [refusal(503, 'svc::auth.unavailable')])
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 419 } })
    expect(accepted()).toEqual([])
  })

  it('is sent once the page shows what the other user must do first', async () => {
    logInElsewhere(bea)
    const gate = refusal(403, 'svc::auth.email_verification_required')
    contract.answers.set('GET /svc/api/user', [gate])
    await client.call('user')
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
  })

  it('is never sent as the other user where the page could not ask who is logged in', async () => {
    logInElsewhere(bea)
    const outage = refusal(503, 'svc::auth.unavailable')
    contract.answers.set('GET /svc/api/user', [outage, { status: 200, body: bea }])
    await client.call('user')
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 419 } })
    expect(accepted()).toEqual([])
  })

  it('is answered as that of a guest where the session has ended', async () => {
    logInElsewhere(bea)
    contract.answers.set('GET /svc/api/user', [refusal(401, 'svc::auth.unauthenticated')])
    contract.answers.set('POST /svc/api/logout', [refusal(401, 'svc::auth.unauthenticated')])
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 401 } })
  })

  it('asks for nobody after a change that has replaced the session of the page', async () => {
    await replaceSessionBy('two-factor.disable', ada)
    await client.call('logout')
    expect(lines()).toEqual([expect.stringContaining('two-factor'), 'POST /svc/api/logout'])
  })

  it('is not sent after the way back from an impersonation until the page shows who it is', async () => {
    await replaceSessionBy('impersonation.end', bea)
    expect(await client.call('logout')).toMatchObject({ refusal: { status: 419 } })
    expect(accepted()).toEqual([])
    await client.call('user')
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
  })

  it('asks for nobody where another tab has only fetched a token of the same session', async () => {
    // The server accepts the earlier token as well, which is of the same session.
    contract.jar.set('XSRF-TOKEN', 'token-of-the-other-tab')
    expect(await client.call('logout')).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual(['POST /svc/api/logout'])
  })
})

describe('a read, after a login in another tab that this tab has not noticed', () => {
  it('is refused as out of date instead of returning the data of the other user', async () => {
    logInElsewhere(bea)
    expect(await client.call('sessions')).toMatchObject({
      outcome: 'refused',
      refusal: { status: 419, key: 'svc::auth.csrf_mismatch' },
    })
    await client.call('user')
    expect(await client.call('sessions')).toMatchObject({ outcome: 'ok' })
  })

  it('is answered where the same user has logged in, and asks who that is once', async () => {
    logInElsewhere(ada)
    expect(await client.call('sessions')).toMatchObject({ outcome: 'ok' })
    expect(await client.call('sessions')).toMatchObject({ outcome: 'ok' })
    expect(lines().filter((line) => line === 'GET /svc/api/user')).toHaveLength(1)
  })

  it.each([
    ['whoever it was has logged out since', 401, 'svc::auth.unauthenticated'],
    ['the service does not say who is logged in', 503, 'svc::auth.unavailable'],
  ] as const)('is refused in the words of the service where %s', async (_, status, key) => {
    logInElsewhere(bea)
    contract.answers.set('GET /svc/api/user', [refusal(status, key)])
    expect(await client.call('sessions')).toMatchObject({ refusal: { status, key } })
  })

  it('asks for nobody while the session is that of the page', async () => {
    expect(await client.call('sessions')).toMatchObject({ outcome: 'ok' })
    expect(lines()).toEqual(['GET /svc/api/sessions'])
  })
})
