import { loginAs } from '@svc/auth/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApplication } from './application.js'

let application

beforeAll(async () => {
  application = await startApplication()
})
afterAll(() => application.stop())

test('an order is saved with the name of the user', async () => {
  const { auth, url, users } = application
  const { headers } = await loginAs(auth, await users.findByEmail('bea@example.com'))
  const response = await fetch(`${url}/api/orders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ item: 'Tea' }),
  })
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ order: { item: 'Tea', by: 'Bea' } })
})

test('a guest is refused', async () => {
  expect((await fetch(`${application.url}/api/orders`)).status).toBe(401)
})
