import { fileURLToPath } from 'node:url'
import type { AxiosResponse, AxiosStatic } from 'axios'
import express from 'express'
import type { Page } from 'playwright-core'
import { createPanelAuth } from '@svc/auth'
import { guard, mount, userOf } from '@svc/auth/express'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { CHEAP, configAt, passwordHash } from '../support/service.ts'
import { PASSWORD } from './person.ts'
import { openHost } from './rig.ts'

declare const axios: AxiosStatic

const AXIOS = fileURLToPath(new URL('../../node_modules/axios/dist/axios.min.js', import.meta.url))

describe('axios, as it is published', () => {
  it('logs in and out after one GET of /svc/api/csrf-cookie, with nothing configured', async () => {
    const page = await openShop()
    await page.goto('/')

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

/** A host with one page, which loads axios, and one route. @returns a tab at it. */
async function openShop(): Promise<Page> {
  const origin = `http://localhost:${await freePort()}`
  const auth = createPanelAuth({
    config: { ...configAt(origin), passwords: CHEAP },
    stores: memoryStores(),
    users: fakeUsers([{ id: '1', email: 'ada@example.com', passwordHash }]),
  })
  const host = express()
  host.use(mount(auth))
  host.get('/', (_request, response) => {
    response.send(
      '<!doctype html><title>Host</title><link rel="icon" href="data:,"><script src="/axios.js"></script>',
    )
  })
  host.get('/axios.js', (_request, response) => {
    response.sendFile(AXIOS)
  })
  host.get('/api/orders', guard(auth), (request, response) => {
    response.json({ of: userOf(auth, request)?.email })
  })
  return openHost(auth, origin, host)
}
