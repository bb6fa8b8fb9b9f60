import { describe, expect, it, vi } from 'vitest'
import type { AskConfirmation } from '../../web/client/client.ts'
import { barrier, settled } from '../support/time.ts'
import { refusal } from './contract-server.ts'
import { client, contract, makeClient, makeClientBeforeEach } from './tested-client.ts'

const ORDERS = '/api/orders'
const DELETE = 'DELETE /svc/api/two-factor'
const ORDER = { method: 'POST', body: 'an order' }
const DONE = { status: 204 }
const FIRST = refusal(403, 'svc::auth.confirmation_required')
const WITH_CODE = { ...FIRST, body: { ...(FIRST.body as object), two_factor: true } }

makeClientBeforeEach()

/** Returns a function that asks as a user would answer, and counts its questions. */
function asking(isConfirmed: boolean) {
  return vi.fn<AskConfirmation>(async () => isConfirmed)
}

const sentTo = (line: string) => contract.seen.filter((seen) => seen.line === line)

describe('a request that demands a confirmation', () => {
  it('is repeated once the user has confirmed, with the same input', async () => {
    contract.answers.set(`POST ${ORDERS}`, [FIRST, { status: 201, body: { number: 1 } }])
    client.onConfirmationRequired(asking(true))
    const response = await client.fetch(ORDERS, ORDER)
    expect([response.status, await response.json()]).toEqual([201, { number: 1 }])
    expect(sentTo(`POST ${ORDERS}`).map(({ body }) => body)).toEqual(['an order', 'an order'])
  })

  it('is repeated with the input of a Request', async () => {
    contract.answers.set(`POST ${ORDERS}`, [FIRST, DONE])
    client.onConfirmationRequired(asking(true))
    const response = await client.fetch(new Request(contract.origin + ORDERS, ORDER))
    expect(response.status).toBe(204)
    expect(sentTo(`POST ${ORDERS}`).map(({ body }) => body)).toEqual(['an order', 'an order'])
  })

  it('is repeated when it only reads', async () => {
    contract.answers.set(`GET ${ORDERS}`, [FIRST, { status: 200, body: [] }])
    client.onConfirmationRequired(asking(true))
    expect((await client.fetch(ORDERS)).status).toBe(200)
  })

  it('is repeated when it is a route of the service', async () => {
    contract.answers.set(DELETE, [FIRST, DONE])
    client.onConfirmationRequired(asking(true))
    expect(await client.call('two-factor.disable')).toEqual({ outcome: 'ok', body: null })
  })

  it('is refused as it was when the user cancels', async () => {
    contract.answers.set(`POST ${ORDERS}`, [FIRST])
    contract.answers.set(DELETE, [FIRST])
    client.onConfirmationRequired(asking(false))
    const response = await client.fetch(ORDERS, ORDER)
    expect([response.status, await response.json()]).toEqual([403, FIRST.body])
    expect(await client.call('two-factor.disable')).toMatchObject({
      outcome: 'refused',
      refusal: { status: 403, key: 'svc::auth.confirmation_required' },
    })
    expect(sentTo(`POST ${ORDERS}`)).toHaveLength(1)
  })

  it('is refused as it was when nothing asks', async () => {
    contract.answers.set(`POST ${ORDERS}`, [FIRST])
    const ask = asking(true)
    client.onConfirmationRequired(ask)()
    expect((await client.fetch(ORDERS, ORDER)).status).toBe(403)
    expect(ask).not.toHaveBeenCalled()
  })

  it('asks once when it is refused again', async () => {
    contract.answers.set(`POST ${ORDERS}`, [FIRST])
    const ask = asking(true)
    client.onConfirmationRequired(ask)
    expect((await client.fetch(ORDERS, ORDER)).status).toBe(403)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(sentTo(`POST ${ORDERS}`)).toHaveLength(2)
  })

  it('shares the question with those that wait at the same time', async () => {
    contract.answers.set(`GET ${ORDERS}`, [FIRST, FIRST, { status: 200, body: [] }])
    let refused = 0
    makeClient(async (...request) => {
      const answer = await contract.fetch(...request)
      const body = await answer.text()
      if (answer.status === 403) refused += 1
      // The client reads it without waiting for the network.
      return new Response(body, answer)
    })
    const { passed, open } = barrier()
    const ask = vi.fn<AskConfirmation>(async () => {
      await passed
      return true
    })
    client.onConfirmationRequired(ask)
    const responses = Promise.all([client.fetch(ORDERS), client.fetch(ORDERS)])
    await expect.poll(() => refused, { timeout: 30_000 }).toBe(2)
    await settled()
    open()
    expect((await responses).map(({ status }) => status)).toEqual([200, 200])
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it('says if a code is accepted', async () => {
    const ask = asking(false)
    client.onConfirmationRequired(ask)
    contract.answers.set(`GET ${ORDERS}`, [FIRST, WITH_CODE])
    await client.fetch(ORDERS)
    await client.fetch(ORDERS)
    expect(ask.mock.calls).toEqual([[{ code: false }], [{ code: true }]])
  })

  it.each([
    { status: 403, body: { key: 'shop.forbidden', message: 'No' } },
    { status: 403, html: '<h1>No</h1>' },
    refusal(403, 'svc::auth.origin_mismatch'),
  ])('is none of another kind: %j', async (said) => {
    contract.answers.set(`GET ${ORDERS}`, [said])
    const ask = asking(true)
    client.onConfirmationRequired(ask)
    expect((await client.fetch(ORDERS)).status).toBe(403)
    expect(ask).not.toHaveBeenCalled()
  })
})
