import { ConfigError, createPanelAuth } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { configAt, rightOptions } from '../../support/service.ts'
import { HOST, DEV, EVIL, visitorFrom } from '../../support/origins.ts'
import { TLS } from '../../support/session-cookies.ts'

describe('session_auth.stateful (AU-2)', () => {
  it.each<[string, Partial<Record<'accepted' | 'refused', readonly string[]>>]>([
    [HOST, { accepted: [TLS], refused: [`${TLS}:8443`, 'https://x.panel.example.test'] }],
    [' Panel.Example.Test ', { accepted: [TLS] }],
    [`${HOST}:443`, { accepted: [TLS], refused: [`${TLS}:443`] }],
    [`${HOST}:8443`, { accepted: [`${TLS}:8443`], refused: [TLS, `${TLS}:8444`] }],
    [
      '*.example.test',
      {
        accepted: ['https://panel.example.test', 'https://a.b.example.test'],
        refused: [
          'https://example.test',
          'https://evilexample.test',
          'https://example.test.evil.test',
          'https://.example.test',
          'https://panel.example.test:8443',
          'http://panel.example.test',
        ],
      },
    ],
    [
      '*.example.test:8443',
      { accepted: [`${TLS}:8443`], refused: [TLS, 'https://example.test:8443'] },
    ],
    ['bücher.test', { accepted: ['https://xn--bcher-kva.test'], refused: ['https://bcher.test'] }],
    [
      'bücher.test:8443',
      {
        accepted: ['https://xn--bcher-kva.test:8443'],
        refused: ['https://xn--bcher-kva.test', 'https://xn--bcher-kva.test:8444'],
      },
    ],
    [
      '*.bücher.test:8443',
      {
        accepted: ['https://a.xn--bcher-kva.test:8443'],
        refused: ['https://xn--bcher-kva.test:8443', 'https://a.xn--bcher-kva.test'],
      },
    ],
    [`${HOST}:65535`, { accepted: [`${TLS}:65535`], refused: [TLS, `${TLS}:65534`] }],
    [`${HOST}:1`, { accepted: [`${TLS}:1`], refused: [TLS] }],
    ['[::1]:5173', { accepted: ['http://[::1]:5173'], refused: ['http://[::2]:5173'] }],
    [
      'localhost:5173',
      { accepted: [DEV], refused: ['http://localhost:5174', 'http://localhost.evil.test:5173'] },
    ],
    ['127.0.0.1:5173', { accepted: ['http://127.0.0.1:5173'] }],
    ['app.localhost:5173', { accepted: ['http://app.localhost:5173'] }],
    ['dev.test:5173', { accepted: ['https://dev.test:5173'], refused: ['http://dev.test:5173'] }],
  ])('%j', async (entry, { accepted = [], refused = [] }) => {
    const { judge } = await visitorFrom({
      stateful: [entry, 'other.test'],
      from: 'https://other.test',
    })
    for (const origin of accepted) expect(await judge('POST', { origin }), origin).toBe(200)
    for (const origin of refused) expect(await judge('POST', { origin }), origin).toBe(403)
  })

  it('ignores blanks', async () => {
    const { judge } = await visitorFrom({ stateful: ['', '  ', HOST] })
    expect(await judge('POST', { origin: TLS })).toBe(200)
    expect(await judge('POST', { origin: 'https://' })).toBe(403)
    expect(await judge('POST', { host: '' })).toBe(403)
  })

  it('an entry without a scheme has the scheme of app.url', async () => {
    const appUrl = 'http://intranet.test'
    const { judge } = await visitorFrom({ appUrl, stateful: ['intranet.test'] })
    expect(await judge('POST', { origin: appUrl })).toBe(200)
    expect(await judge('POST', { origin: 'https://intranet.test' })).toBe(403)
  })

  it('a loopback entry without a scheme means http while app.url is http', async () => {
    const appUrl = 'http://intranet.test'
    const stateful = ['intranet.test', 'localhost:5173', 'localhost']
    const { judge } = await visitorFrom({ appUrl, stateful, environment: 'development' })
    expect(await judge('POST', { origin: DEV })).toBe(200)
    expect(await judge('POST', { origin: 'http://localhost' })).toBe(200)
    expect(await judge('POST', { origin: 'https://localhost:5173' })).toBe(403)
    expect(await judge('POST', { origin: 'https://localhost' })).toBe(403)
  })

  it('a loopback entry without a scheme means http in development, not in production', async () => {
    for (const [environment, status] of [
      ['development', 200],
      ['production', 403],
    ] as const) {
      const { judge } = await visitorFrom({ environment, stateful: [HOST, 'localhost:5173'] })
      expect(await judge('POST', { origin: DEV }), environment).toBe(status)
    }
  })

  it.each([
    'http://panel.example.test',
    'panel.example.test/',
    'panel.example.test/admin',
    '*',
    '*.',
    '*.*.example.test',
    'panel.*.test',
    '*example.test',
    'panel..test',
    '.example.test',
    'panel.example.test.',
    'a b.test',
    'a.test,b.test',
    'user@panel.example.test',
    `${HOST}:`,
    `${HOST}:0`,
    `${HOST}:65536`,
    `${HOST}:http`,
    '::1',
  ])('%j is malformed and stops the start with a message', (entry) => {
    const start = () =>
      createPanelAuth({
        ...rightOptions(),
        config: { ...configAt(TLS), session_auth: { stateful: [HOST, entry] } },
      })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(`session_auth.stateful: ${JSON.stringify(entry)}`)
  })
})

describe('The message of a refused origin', () => {
  it('names the origin and the setting in development', async () => {
    const { una } = await visitorFrom({ environment: 'development' })
    for (const headers of [
      { origin: DEV, referer: null },
      { origin: null, referer: `${DEV}/login` },
    ]) {
      const { json } = await una.post('/svc/api/logout', undefined, { headers })
      expect(json.key).toBe('svc::auth.origin_mismatch')
      expect(json.message).toContain(`"localhost:5173" to session_auth.stateful`)
      expect(json.message).toContain(DEV)
    }
  })

  it('names the header of the page whose browser hides the origin', async () => {
    const { una, log } = await visitorFrom({ environment: 'development' })
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    const { json } = await una.post('/svc/api/logout', undefined, { headers })
    for (const message of [json.message, log.at(-1)?.message]) {
      expect(message).toContain('Referrer-Policy: same-origin')
      expect(message).not.toMatch(/stateful|APP_URL/)
    }
  })

  it('does not depend on the origin in production', async () => {
    const { una } = await visitorFrom({ environment: 'production' })
    const messages = []
    for (const origin of [DEV, EVIL, 'null']) {
      const { json } = await una.post('/svc/api/logout', undefined, { headers: { origin } })
      expect(json.key).toBe('svc::auth.origin_mismatch')
      messages.push(json.message)
    }
    expect(new Set(messages).size).toBe(1)
    expect(messages[0]).not.toMatch(/evil|localhost|stateful/)
  })

  it('is bounded, whatever was sent', async () => {
    const { una } = await visitorFrom({ environment: 'development' })
    const headers = { origin: `https://${'a'.repeat(5000)}.test` }
    const { text } = await una.post('/svc/api/logout', undefined, { headers })
    expect(text.length).toBeLessThan(1000)
  })
})
