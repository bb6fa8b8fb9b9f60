import { createHmac, hkdfSync } from 'node:crypto'
import { StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const KEY = 'test-key-test-key-test-key-0123456789'
const MADE_UP = '192.0.2.1'

/** A probe as `svc doctor` signs it, with a key derived for this purpose only. */
function signed(time: number, { key = KEY, purpose = 'address.probe' } = {}): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `svc.${purpose}.v1`, 32))
  const text = String(time)
  const hmac = createHmac('sha256', derived).update(`${Buffer.byteLength(text)}:${text}`)
  return `${text}.${hmac.digest('base64url')}`
}

async function seen(browser: Browser, probe: string, forwarded: string | null = null) {
  const headers = { 'x-svc-probe': probe, 'x-forwarded-for': forwarded }
  const { status, headers: reply } = await browser.get('/svc/api/csrf-cookie', { headers })
  expect(status).toBe(204)
  const answer = reply['x-svc-probe']
  return answer === undefined ? null : JSON.parse(String(answer))
}

describe('A probe of the address', () => {
  it('is answered with what the service sees', async () => {
    const { browser, clock } = await startService({
      config: { trusted_proxies: ['127.0.0.0/8'] },
    })
    const una = browser()
    expect(await seen(una, signed(clock.now()), `${MADE_UP}, 203.0.113.7, 127.0.0.9`)).toEqual({
      counted: '203.0.113.7',
      peer: una.address,
      isPeerTrusted: true,
      isForwarded: true,
      named: '203.0.113.7',
    })
  })

  it.each<[string, (now: number) => string]>([
    ['no signature', (now) => String(now)],
    ['the signature of another key', (now) => signed(now, { key: 'k'.repeat(40) })],
    ['a signature of another purpose', (now) => signed(now, { purpose: 'csrf.token' })],
    ['another time than it is signed for', (now) => `1${signed(now)}`],
    ['a time of over a minute ago', (now) => signed(now - 61_000)],
    ['a time in over a minute', (now) => signed(now + 61_000)],
  ])('is not answered when it has %s', async (_what, probeAt) => {
    const { browser, clock } = await startService()
    expect(await seen(browser(), probeAt(clock.now()))).toBeNull()
  })

  it('is answered 503 while the time of the stores is not known', async () => {
    const now = async () => Promise.reject(new StoreError('the server is away'))
    const { browser, clock } = await startService({ stores: { ...memoryStores(), now } })
    const headers = { 'x-svc-probe': signed(clock.now()) }
    const { status, headers: reply } = await browser().get('/svc/api/csrf-cookie', { headers })
    expect(status).toBe(503)
    expect(reply).not.toHaveProperty('x-svc-probe')
  })

  it('causes no warning about a proxy unless one has added an address', async () => {
    const { browser, clock, log } = await startService()
    await seen(browser(), signed(clock.now()), MADE_UP)
    expect(log).toEqual([])
    await seen(browser(), signed(clock.now()), `${MADE_UP}, 203.0.113.7`)
    expect(log).toMatchObject([{ level: 'warn', fields: { setting: 'trusted_proxies' } }])
  })
})
