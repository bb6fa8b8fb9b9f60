import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, describe, it, onTestFinished, vi } from 'vitest'
import { API_PATH } from '../../src/rules/paths.ts'
import { createAuthClient, createPanelSession } from '../../web/client/client.ts'
import type { PanelSession, PanelSessionOptions } from '../../web/client/client.ts'
import { createHttpClient } from '../../web/frameworks/react-admin/http-client.ts'
import { createAuthProvider as reactAdmin } from '../../web/frameworks/react-admin/auth-provider.ts'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import { PanelAuthProvider } from '../../web/react/react.ts'
import { createAuthProvider as refine } from '../../web/frameworks/refine/refine-auth.ts'
import { ada, button, eventually, field, logIn, one, settled, type } from './open-panel.tsx'

vi.mock('react-admin', () => ({ HttpError: Error }))

const REQUIRED = {
  key: 'svc::auth.confirmation_required',
  message: 'x',
  confirmation_required: true,
}
const DRAFT = 'Thé – 2 × «noir»'

/** The requests of an application of each framework, and its check before a page. */
const FRAMEWORKS = {
  'react-admin': {
    send: async (session: PanelSession, options: RequestInit) =>
      createHttpClient(session)('/api/orders', options),
    check: async (session: PanelSession) => reactAdmin(session).checkAuth({}),
  },
  refine: {
    send: async (session: PanelSession, options: RequestInit) =>
      session.request(async (fetch) => fetch('/api/orders', options)),
    check: async (session: PanelSession) =>
      expect(await refine(session).check()).toEqual({ authenticated: true }),
  },
} as const

type Answer = readonly [status: number, body?: object]

/** Answers as the service and a route of the host do. */
function startService(answers: Record<string, Answer[]>) {
  const seen: { readonly line: string; readonly body: unknown }[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const line = `${request.method} ${new URL(request.url).pathname.replace(API_PATH, '')}`
    const text = await request.text()
    seen.push({ line, body: text === '' ? null : JSON.parse(text) })
    const given = answers[line] ?? []
    const [status, body] = (given.length > 1 ? given.shift() : given[0]) ?? [204]
    const headers = { 'x-xsrf-token': 'token' }
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
  }
  const bodies = (line: string) => seen.filter((one) => one.line === line).map(({ body }) => body)
  return { fetch, bodies }
}

/** A form of the host, whose route demands a recent confirmation. */
function Order({ onSend }: { readonly onSend: (body: string) => Promise<unknown> }) {
  const [item, setItem] = useState('')
  return (
    <>
      <h1>Orders</h1>
      <label htmlFor="item">Item</label>
      <input id="item" value={item} onInput={({ currentTarget }) => setItem(currentTarget.value)} />
      <button onClick={() => void onSend(JSON.stringify({ item }))}>Order</button>
    </>
  )
}

async function open(
  name: keyof typeof FRAMEWORKS,
  answers: Record<string, Answer[]>,
  offers: Pick<PanelSessionOptions, 'rememberDays' | 'trustDays'> = {},
) {
  const { send, check } = FRAMEWORKS[name]
  const service = startService(answers)
  const client = createAuthClient({ fetch: service.fetch })
  const session = createPanelSession({ client, ...offers })
  const results: unknown[] = []
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const order = async (body: string) => results.push(await send(session, { method: 'POST', body }))
  root.render(
    <PanelAuthProvider session={session} locale="en">
      <PanelGate name="Shop">
        <Order onSend={order} />
      </PanelGate>
    </PanelAuthProvider>,
  )
  const stop = session.start()
  onTestFinished(() => {
    stop()
    root.unmount()
    document.body.replaceChildren()
  })
  await eventually(() => one('h1'))
  return { ...service, session, results, check: async () => check(session) }
}

const GUEST: Answer = [401, { key: 'svc::auth.unauthenticated', message: 'x' }]
const CODE_OWED = { two_factor: true, expires_in: 300, attempts_left: 5 }

describe.each(Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[])(
  'the gate of an application of %s',
  (name) => {
    it('sends the wish to stay logged in, and to trust the browser', async () => {
      const answers = {
        'GET /user': [GUEST, [200, ada]] as Answer[],
        'POST /login': [[200, CODE_OWED]] as Answer[],
      }
      const { bodies, check } = await open(name, answers, { rememberDays: 30, trustDays: 7 })
      field('Keep me logged in for 30 days').click()
      await logIn(ada.email, 'right')
      field('Do not ask for a code in this browser for 7 days').click()
      type('Code from your authenticator app', '123456')
      button('Continue').click()
      await eventually(() => expect(one('h1').textContent).toBe('Orders'))
      expect(bodies('POST /login')).toEqual([
        { email: ada.email, password: 'right', remember: true },
      ])
      expect(bodies('POST /login/two-factor')).toEqual([{ code: '123456', trust_device: true }])
      await check()
    })

    it('asks for the confirmation that a route demands, and keeps what was entered', async () => {
      const { bodies, results } = await open(name, {
        'GET /user': [[200, ada]],
        'POST /api/orders': [
          [403, REQUIRED],
          [201, { number: 1 }],
        ],
      })
      type('Item', DRAFT)
      await settled()
      button('Order').click()
      await eventually(() => one('dialog[open]'))
      await settled()
      expect([field('Item').value, results]).toEqual([DRAFT, []])
      type('Password', 'right')
      button('Confirm').click()
      await eventually(() => expect(results).toMatchObject([{ status: 201 }]))
      expect(bodies('POST /confirm')).toEqual([{ password: 'right' }])
      expect(bodies('POST /api/orders')).toEqual([{ item: DRAFT }, { item: DRAFT }])
      expect(field('Item').value).toBe(DRAFT)
    })
  },
)
