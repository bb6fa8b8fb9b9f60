import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { AxiosResponse, AxiosStatic } from 'axios'
import express from 'express'
import { chromium } from 'playwright-core'
import { createPanelAuth, hashPassword } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { PASSWORD } from './person.ts'

declare const axios: AxiosStatic

const AXIOS = fileURLToPath(new URL('../../node_modules/axios/dist/axios.min.js', import.meta.url))

describe('axios, as it is published', () => {
  it('logs in and out after one GET of /svc/api/csrf-cookie, with nothing configured', async () => {
    const origin = await startHost()
    const browser = await chromium.connect(inject('browserEndpoint'))
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(origin)

    const story = await page.evaluate(async (password) => {
      const steps: (readonly [string, number, unknown])[] = []
      const note = async (what: string, sent: Promise<AxiosResponse<unknown>>) => {
        const { status, data } = await sent
        steps.push([what, status, data])
      }
      const any = { validateStatus: () => true }
      await note('csrf', axios.get('/svc/api/csrf-cookie'))
      await note('login', axios.post('/svc/api/login', { email: 'ada@example.com', password }))
      await note('user', axios.get('/svc/api/user'))
      await note('orders', axios.get('/api/orders'))
      await note('logout', axios.post('/svc/api/logout'))
      await note('orders', axios.get('/api/orders', any))
      return steps
    }, PASSWORD)

    expect(story).toEqual([
      ['csrf', 204, ''],
      ['login', 200, { two_factor: false }],
      ['user', 200, expect.objectContaining({ email: 'ada@example.com' })],
      ['orders', 200, { of: 'ada@example.com' }],
      ['logout', 204, ''],
      ['orders', 401, expect.objectContaining({ key: 'svc::auth.unauthenticated' })],
    ])
  })
})

/** A host with one page, which loads axios, and one route. @returns its origin. */
async function startHost(): Promise<string> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const auth = createPanelAuth({
    config: {
      app: { url: origin, keys: ['a key of tests: 0123456789 abcdef'] },
      session_auth: { stateful: [new URL(origin).host] },
      svc: { prefix: 'admin', panels: ['main'] },
      spa: { off: true },
    },
    stores: memoryStores(),
    users: fakeUsers([
      { id: '1', email: 'ada@example.com', passwordHash: await hashPassword(PASSWORD) },
    ]),
  })
  const host = express()
  host.use(mount(auth))
  host.get('/', (_request, response) => {
    response.send('<!doctype html><title>Host</title><script src="/axios.js"></script>')
  })
  host.get('/axios.js', (_request, response) => {
    response.sendFile(AXIOS)
  })
  host.get('/api/orders', guard(auth), (request, response) => {
    response.json({ of: userOf(auth, request)?.email })
  })
  const server = createServer(host)
  await new Promise<void>((resolve) => server.listen(port, resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await auth.close()
  })
  return origin
}
