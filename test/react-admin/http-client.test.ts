import { describe, expect, it, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import type { AskConfirmation } from '../../web/client/client.ts'
import { createHttpClient } from '../../web/frameworks/react-admin/http-client.ts'
import { refusal } from '../client/contract-server.ts'
import { client, contract, makeClientBeforeEach } from '../client/tested-client.ts'

// react-admin is the host's. Its `HttpError` has these three properties.
vi.mock('react-admin', () => ({
  HttpError: class extends Error {
    readonly status: number
    readonly body: unknown
    constructor(message: string, status: number, body: unknown) {
      super(message)
      this.status = status
      this.body = body
    }
  },
}))

const ORDERS = '/api/orders'
const LINE = `POST ${ORDERS}`
const ORDER = { method: 'POST', body: '{"item":"Thé – 2 × «noir»"}' }
const FIRST = refusal(403, 'svc::auth.confirmation_required')
const CREATED = { status: 201, body: { number: 1 } }

makeClientBeforeEach()

/** Sends a request as the data provider of a host does. */
async function send(options?: RequestInit) {
  return createHttpClient(createPanelSession({ client }))(ORDERS, options)
}

const asking = (isConfirmed: boolean) => vi.fn<AskConfirmation>(async () => isConfirmed)
const orders = () => contract.seen.filter(({ line }) => line === LINE)

describe('a request of react-admin that demands a confirmation', () => {
  it('is repeated with its body and headers once the user has confirmed', async () => {
    contract.answers.set(LINE, [FIRST, CREATED])
    const ask = asking(true)
    client.onConfirmationRequired(ask)
    const answer = await send({ ...ORDER, headers: { 'x-draft': 'of today' } })
    expect([answer.status, answer.json]).toEqual([201, { number: 1 }])
    expect(ask).toHaveBeenCalledExactlyOnceWith({ code: false })
    expect(
      orders().map(({ body, headers }) => [body, headers['content-type'], headers['x-draft']]),
    ).toEqual([
      [ORDER.body, 'application/json', 'of today'],
      [ORDER.body, 'application/json', 'of today'],
    ])
  })

  it('is sent once and rejects with the refusal if the user cancels', async () => {
    contract.answers.set(LINE, [FIRST, CREATED])
    client.onConfirmationRequired(asking(false))
    await expect(send(ORDER)).rejects.toMatchObject({
      status: 403,
      body: { key: 'svc::auth.confirmation_required' },
    })
    expect(orders()).toHaveLength(1)
  })

  it('rejects with the second refusal, and asks no second time', async () => {
    contract.answers.set(LINE, [FIRST, FIRST])
    const ask = asking(true)
    client.onConfirmationRequired(ask)
    await expect(send(ORDER)).rejects.toMatchObject({ status: 403 })
    expect([ask.mock.calls.length, orders().length]).toEqual([1, 2])
  })

  it('does not ask for a 403 of the host itself', async () => {
    contract.answers.set(LINE, [{ status: 403, body: { message: 'Orders are closed.' } }])
    const ask = asking(true)
    client.onConfirmationRequired(ask)
    await expect(send(ORDER)).rejects.toMatchObject({ status: 403, message: 'Orders are closed.' })
    expect(ask).not.toHaveBeenCalled()
  })
})
