import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loginAs } from '@svc/auth/testing'
import { startApplication } from './application.js'

let application

before(async () => {
  application = await startApplication()
})
after(() => application.stop())

test('an order is saved with the name of the user', async () => {
  const { auth, url, users } = application
  const { headers } = await loginAs(auth, await users.findByEmail('bea@example.com'))
  const response = await fetch(`${url}/api/orders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ item: 'Tea' }),
  })
  assert.equal(response.status, 201)
  const { order } = await response.json()
  assert.deepEqual([order.item, order.by], ['Tea', 'Bea'])
})

test('a guest is refused', async () => {
  assert.equal((await fetch(`${application.url}/api/orders`)).status, 401)
})
